#include <iostream>

#include <fmt/format.h>

#include "cli/cli.h"

namespace divdet::cli {
namespace {

struct Topic {
    const char* name;
    const char* text;
};

constexpr Topic kTopics[] = {
    {"rtol", "The relative tolerance. It is multiplied by |reference|, because large numbers have large "
             "steps between\n"
             "neighbouring floats. Near zero it allows nothing: there atol must."},
    {"atol", "The absolute tolerance, in the unit of the tensor. It forgives near zero, where a relative "
             "error explodes\n"
             "though it means nothing."},
    {"allclose", "The rule |candidate - reference| <= atol + rtol * |reference|, for every element. It is "
                 "not symmetric: the\n"
                 "tolerance scales with the reference, so swapping the files can change the verdict."},
    {"either", "The rule that passes an element when |c - r| <= atol or |c - r| <= rtol * |r|. At equal "
               "numbers it is stricter\n"
               "than allclose, at most by a factor of two."},
    {"rules",
     "allclose and either are ours and know all their tolerances at once. The others answer as a tool "
     "does, bit for bit:\n"
     "numpy            numpy.isclose: the bound rounded to the reference's type\n"
     "torch            torch.isclose: bound and difference in the tensors' type; one dtype only\n"
     "polygraphy-elemwise, -max, -mean, -median, -quantile   CompareFunc.simple with that error stat\n"
     "eager-rmse       torch._dynamo.utils.same(reference, candidate, --fp64): the rmse against fp64\n"
     "Where two of them disagree on your files, compare says so and shows the element that decides it."},
    {"mask",
     "A bool tensor, true where elements are compared. One tensor stands for every tap of its shape; a "
     "file with several\n"
     "has them by tap name, and taps without one are compared whole."},
    {"frontier", "All tolerances that just pass. Above the curve everything passes, below it something "
                 "fails, so it answers\n"
                 "every (rtol, atol) at once without looking at the data again."},
    {"linked", "The path atol = 1e-3 * (rtol / 1e-2)^(5/3), which goes through the presets bf16 and fp32. "
               "\"Needs rtol\" is the\n"
               "smallest rtol on that path that passes."},
    {"ulp", "The distance to the next representable number. A difference in ulps counts the floats between "
            "two values, in the\n"
            "coarser of the two dtypes."},
    {"verdict", "within: every judged element passes. outside: some fail. inconclusive: nothing was really "
                "tested, as when a\n"
                "tensor of zeros would pass too. incomparable: shapes or kinds do not match. incomplete: a "
                "tap is on one side only.\n"
                "unreadable: a file or tensor cannot be read."},
    {"metric",
     "What a difference costs in the task. A tap called logits, [.., vocabulary] (or --logits TAP), is "
     "turned "
     "into guesses,\n"
     "the largest logit of each token, and with targets (a tap called targets or labels, or --targets TAP) "
     "into right ones:\n"
     "top-1 agreement with the reference, accuracy, perplexity, KL(reference || candidate) in nats, the "
     "token "
     "where greedy text\n"
     "parts. Headroom is the share of tokens whose margin exceeds twice their largest error: those cannot "
     "flip. ± is one\n"
     "standard error, as if tokens were drawn one by one; before and after are of the same tokens, so "
     "changes "
     "scatter less.\n"
     "Limits: --min-top1, --min-accuracy, --max-kl, --max-ppl-delta; a missed one is exit 1, and nan misses "
     "every limit.\n"
     "--metric-cmd CMD runs your own evaluation: each number it prints on a line is a sample, --metric-min "
     "bounds their mean.\n"
     "It finds the files in DIVDET_REFERENCE and DIVDET_CANDIDATE (run: those of --save-reference-dump and "
     "--save-dump)."},
    {"tap", "A named tensor captured during a run. Judged taps decide the verdict; traced ones only show "
            "their numbers."},
    {"drift", "A difference made on purpose and bounded by theory: another order of additions, fewer bits in "
              "an operand,\n"
              "quantisation. A bug is a difference that no such reason explains."},
    {"declare",
     "What --declare takes: lossy steps that are there on purpose, so that the judge can tell them from a "
     "bug. "
     "Pass ids that\n"
     "are drift (tf32, bf16, fp16, int8 ...), the finer tf32-operands, bf16-operands, bf16-output, "
     "fp16-output, "
     "int8-per-tensor,\n"
     "int8-per-channel-weights, fp8-e4m3, split-k-bf16, allreduce-bf16, fp16-accumulation, "
     "divdet-order\n(with --graph: divdet's own kernels made the dump), and backends: "
     "torch-cuda-default,\n"
     "torch-inductor-bf16, tensorrt-fp16, tensorrt-int8, ort-int8-qdq, vllm-tp2-bf16. Another order of "
     "additions "
     "is always allowed."},
    {"graph",
     "compare REF CAND --graph FILE: what the candidate computed, so that every op is judged on the inputs "
     "it "
     "really read.\n"
     "JSON: {\"divdet_graph\": 1, \"name\": \"m\", \"dims\": {\"t\": 64}, \"steps\": [\n"
     "  {\"input\": \"x\", \"dims\": [\"t\", 512]}, {\"weight\": \"w\", \"dims\": [512, 512]},\n"
     "  {\"op\": \"matmul\", \"name\": \"y\", \"inputs\": [\"x\", \"w\"], \"output\": true}]}\n"
     "A step is found in the dump by its name, or by a field \"tap\". Weights and inputs come from --inputs "
     "FILE "
     "or the dump.\n"
     "What was not recorded is judged as one with the op that reads it; ops that cannot be judged say why. "
     "--declare tells\n"
     "the arithmetic. divdet run BLOCK --graph-out G --save-dump D --save-inputs I writes an example; its "
     "\"made\" "
     "says that\n"
     "divdet made the dump, so that the order of additions is known."},
    {"class",
     "Why a pair differs, whatever the tolerance. identical: the same bytes. drift: rounding or declared "
     "steps explain it.\n"
     "bug: a finding names what is wrong. unclear: neither. inherited: what it was made from differed "
     "already."},
    {"pass", "A rewrite of a block, benign (drift) or faulty (bug). divdet passes lists them; --pass "
             "switches one on."},
    {"advise",
     "divdet advise OP derives the tolerance of a test before any run: from what theory expects of the "
     "declared arithmetic on\n"
     "a few draws of the data, with the last rounding as a step on the lattice of the output's dtype.\n"
     "false alarm: the chance that a correct implementation fails, all elements of a run together.\n"
     "power: the share of runs with a fault of divdet passes that the tolerance catches, measured.\n"
     "flaky: honest runs fail more often than --p. blind: it misses a fault that the recommended one "
     "catches."},
    {"derived",
     "divdet run --preset derived judges every tap at its own tolerance: |mean - reference| + k sigma "
     "of the declared\n"
     "arithmetic and half a step of the dtype, with k such that an honest run fails with probability "
     "--p."},
    {"sane-tolerance",
     "divdet run BLOCK --sane-tolerance runs every drift pass that fits the block and every bug, each alone "
     "against one\n"
     "reference, and compares what they need. The window is what every honest run passes and every bug that "
     "can be told\n"
     "apart fails; the tolerance in its middle is recommended. caught: the bug fails there. elsewhere: only "
     "another\n"
     "tolerance tells it apart. never: it passes wherever honest runs do, so that only the class, the "
     "derived "
     "tolerances\n"
     "or the task metric can find it. Honest is, in one answer, the drift that is on, alone and together; in "
     "the other\n"
     "every drift pass. Bugs under --declare count as drift. The numbers are of this block, these sizes and "
     "this seed."},
    {"bisect", "divdet bisect halves what is on until one item is left: of n items about log2 n runs. First "
               "everything on "
               "must be bad\n"
               "and everything off good. Items that fail only together are found together, and none of them "
               "can be left "
               "out.\n"
               "unresolved: a run that says neither, such as another kind of failure, a timeout or an exit "
               "code of 125; "
               "it is gone past.\n"
               "--over pairs names the pass and its op, --over layers the layer of a stack."},
    {"oracle",
     "What answers good, bad or unresolved. With --compare REF CAND divdet judges the dump that your command "
     "writes, which is\n"
     "the robust way; without it 0 is good, --bad-code bad and everything else unresolved. A Python "
     "traceback is "
     "unresolved\n"
     "unless --fail-regex matches it: an exception is mostly a mistake in the script."},
    {"unsteady",
     "Answers that vary from run to run: one set of items is bad in some runs and good in others. A bad run "
     "then "
     "counts as proof\n"
     "that something is on that fails; a good answer is repeated until the chance that it hid a failure, "
     "given "
     "how often\n"
     "everything on fails, is so small that all steps together hold --confidence. --strict refuses instead."},
    {"stages",
     "Where it first differs says whose business it is. capture (torch: eager): the model, or how it was "
     "captured. decompose\n"
     "(aot_eager): a formula that stands for another. lower (inductor): fusion, precision, generated code. "
     "replay (cudagraphs):\n"
     "a stale buffer or address, not the maths."},
    {"minify",
     "The block is cut loose from its preset, with the numbers it starts from, and made smaller as long as "
     "it "
     "fails in the\n"
     "same way: the end and the beginning cut off (the reference's values stand in their place), passes, ops "
     "and outputs\n"
     "left out, sizes shortened, numbers made plain. Every candidate is a fresh run. The same way means the "
     "same finding,\n"
     "the same pass to explain it where the bits name one, and the same kind of failure. divdet repro runs "
     "the result again."},
    {"repro",
     "A failure that others can run again, written by divdet minify -o DIR. repro.json: the block with its "
     "numbers, passes,\n"
     "tolerance and what it has to show; divdet repro FILE says whether it still does. repro.py: the same by "
     "numpy alone,\n"
     "ending in a failed assertion that names the pass; each line marked 'guilty' stands for it. repro.md: "
     "text for a\n"
     "bug report. A bundle of torch's minifier is read and never run: SAME FAILURE, or LOST where the last "
     "program no\n"
     "longer fails as the first did."},
    {"recipe", "Items and variables of a known tool for divdet bisect: what Inductor, ONNX Runtime, XLA and "
               "TensorRT can "
               "leave out.\n"
               "divdet bisect --recipe list shows them. The command is always yours."},
    {"logs",
     "What divdet logs reads: text of TORCH_LOGS (recompiles, graph_breaks, guards and the warnings "
     "that need no\n"
     "setting) of torch 2.0 to 2.15, in every style of prefix and behind the marks of torchrun, "
     "srun, mpirun and\n"
     "containers; several ranks in one stream; files and folders of TORCH_TRACE; pasted parts. A "
     "recompile is one\n"
     "record, however many guards it lists; what restarts of a compile repeat counts once. Each "
     "cause has its fix\n"
     "with the names, dims and values of the log. What is not understood is counted: --show-unparsed "
     "prints it.\n"
     "Where guards are logged, --guards shows what each graph is guarded on and how often each guard "
     "failed;\n--find TEXT and --failing show some of them. Every file and process is a run of its own: "
     "limits and\nstorms are counted in each.\n"
     "--before OLD compares with the log from before a fix; --markdown and --html write reports."},
    {"storm",
     "A model that is compiled again and again, or falls into pieces. divdet logs calls a log a storm when "
     "a\n"
     "function hit the limit of recompiles, when one cause recompiled a function three times, when a "
     "function is\n"
     "split into three islands, or when one place broke the graph three times. Root causes: sizes, dtypes "
     "and\n"
     "switches reach many functions at once and count once; values and objects of Python count per name."},
    {"determinism",
     "Why two runs of one program on one input may differ, and what it costs to stop it. divdet determinism "
     "BLOCK measures:\n"
     "atomics     real threads that add to one output by atomic additions, in whatever order they come\n"
     "autotune    orders of summation tried by the clock, the fastest taken, anew each time\n"
     "tf32        not varying by itself, but another answer by another setting; so is\n"
     "accumulate  the partial sums of a product in bf16\n"
     "batch       a row alone against the same row in a batch, whose size chooses the chunks of the sum\n"
     "The switch puts sums in order, sorts scatter-add, takes TF32 away and fixes the chunks; "
     "--deterministic "
     "runs with it\n"
     "alone, and refuses an op that has no such variant. Its cost is measured in pairs of runs, off and on "
     "by "
     "turns. No\n"
     "difference seen in N runs is no proof that there is none. On while debugging, off in production."},
    {"twin", "CPU code that gives the same bits as a GPU of the named architecture, tensor cores included."},
};

} // namespace

void addHelp(CLI::App& app, int& exitCode) {
    auto topic = std::make_shared<std::string>();
    CLI::App* verb = app.add_subcommand("help", "Explain a word: rtol, frontier, ulp …");
    verb->add_option("topic", *topic, "The word; without one the list");
    verb->callback([topic, &exitCode] {
        for (const auto& t : kTopics)
            if (*topic == t.name) {
                std::cout << t.text << '\n';
                return;
            }
        std::string names;
        for (const auto& t : kTopics) names += (names.empty() ? "" : ", ") + std::string(t.name);
        if (topic->empty())
            std::cout << "Words: " << names << "\nOptions of a verb: divdet VERB --help\n";
        else
            exitCode =
                fail({ErrorCode::usage, fmt::format("no help on '{}'", *topic), "", "words are " + names});
    });
}

} // namespace divdet::cli
