#include "logs/break_kinds.h"

#include "logs/text_scan.h"

namespace divdet {
namespace {

// Sharper kinds first: a break by a logger is also one by a skipped function.
constexpr std::array kKinds{
    BreakKind{"other",
              {"torch._dynamo.graph_break()", "graph_break in skip", "function graph_break in file"},
              {"remove-graph-break"},
              "{site}: remove the call of torch._dynamo.graph_break()"},
    BreakKind{"autograd-function",
              {"AutogradFunctionVariable", "autograd.Function", "setup_context"},
              {"custom-op"},
              "{site}: make the autograd.Function a custom op (torch.library.custom_op, register_autograd)"},
    BreakKind{"logging-call",
              {"Logger", "_warnings", "warnings.warn", "(warn)", "logging function", "qualname: warn"},
              {"ignore-logger", "remove-logging"},
              "{site}: take the logging out of the hot path, or add the method to "
              "torch._dynamo.config.ignore_logger_methods"},
    BreakKind{"print",
              {"BuiltinVariable(print)", "builtin: print", "operator `print`", "builtin print ["},
              {"remove-logging"},
              "{site}: take print out of the compiled function, or add it to "
              "torch._dynamo.config.reorderable_logging_functions"},
    BreakKind{
        "control-flow",
        {"generic_jump", "Data-dependent jump", "Data-dependent branching", "ata-dependent assert",
         "Dynamic control flow", "dynamic control flow"},
        {"use-cond", "fullgraph"},
        "{site}: replace the branch on a tensor's value by torch.where or torch.cond; fullgraph=True makes "
        "it an error"},
    BreakKind{"data-dependent",
              {"ensor.item", "tolist", "ynamic shape operator", "_local_scalar_dense", "nonzero",
               "data dependent operator", "ata-dependent", "capture_scalar_outputs", "data-dependent",
               "ynamic shapes: ", "__getitem__(bool[])", "BuiltinVariable(int) [TensorVariable",
               "BuiltinVariable(float) [TensorVariable", "BuiltinVariable(bool) [TensorVariable"},
              {"remove-item", "capture-scalar-outputs"},
              "{site}: keep the value on the tensor (move .item() out of the hot path), or set "
              "torch._dynamo.config.capture_scalar_outputs = True"},
    BreakKind{"side-effect",
              {"ide effect", "mutation", "setattr", "STORE_ATTR", "STORE_GLOBAL", "STORE_DEREF", "mutating"},
              {"custom-op", "fullgraph"},
              "{site}: return what is changed instead of changing it, or hide it in a custom op"},
    BreakKind{"builtin",
              {"BuiltinVariable(", "builtin:", "builtin operator", "unsupported builtin",
               "unsupported Python builtin", "time function", "perf_counter", "C function",
               "call_function UserDefinedObjectVariable(", "call_id with"},
              {"custom-op", "fullgraph"},
              "{site}: move the builtin out of the compiled function, or wrap it as a custom op"},
    BreakKind{"skipped",
              {"kipfiles", "skip_files", "skip function", "marked as skipped", "disable()", "disable`",
               "Skip calling", "frame skipped", "in skip", "SKIPPED INLINING"},
              {"remove-graph-break", "fullgraph"},
              "{site}: this call is excluded from compiling (disabled or on torch's skip list): move it out "
              "of the hot "
              "path, or allow it (torch.compiler.allow_in_graph)"},
    BreakKind{"unsupported-op",
              {"Unsupported", "nsupported", "not support", "n't support", "does not know how to trace",
               "missing fake", "not implemented", "no fake impl", "call_method ", "call_function ", "Tensor.",
               "deepcopy", "method call", "hasattr: ", "missing: "},
              {"custom-op", "fullgraph"},
              "{site}: wrap what torch cannot trace as a custom op (torch.library.custom_op)"},
    BreakKind{"other",
              {""},
              {"fullgraph"},
              "{site}: fullgraph=True makes this break an error, with the whole stack"},
};

} // namespace

const BreakKind& breakKind(std::string_view text) {
    for (const auto& kind : kKinds)
        for (const std::string_view needle : kind.needles)
            if (!needle.empty() && contains(text, needle)) return kind;
    return kKinds.back();
}

} // namespace divdet
