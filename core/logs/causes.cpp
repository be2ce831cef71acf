#include "logs/causes.h"

#include <cstddef>

namespace divdet {
namespace {

constexpr auto kText = [](const char* s) { return std::string_view(s); };

// In the order of the enum, which `info` counts on.
const std::array kCauses{
    CauseInfo{Cause::dynamicShape,
              "dynamic-shape",
              "a size",
              {"mark-dynamic", "pad-inputs"},
              kText("mark_dynamic({name}, {dim}), or pad to a few sizes; seen: {values}"),
              true},
    CauseInfo{
        Cause::stride,
        "stride",
        "a stride",
        {"stable-strides"},
        kText("give {name} the same memory layout at every call (contiguous() before it, or none); seen: "
              "{values}"),
        true},
    CauseInfo{Cause::rank,
              "rank",
              "the number of dims",
              {"pad-inputs"},
              kText("give {name} the same number of dims at every call (unsqueeze outside); seen: {values}"),
              true},
    CauseInfo{Cause::dtype,
              "dtype",
              "a dtype",
              {"cast-once"},
              kText("cast {name} to one dtype before the call; seen: {values}"),
              true},
    CauseInfo{Cause::device,
              "device",
              "a device",
              {"set-once"},
              kText("move {name} to one device before the call; seen: {values}"),
              true},
    CauseInfo{Cause::requiresGrad,
              "requires-grad",
              "requires_grad",
              {"set-once"},
              kText("set requires_grad of {name} once, or detach it at every call"),
              true},
    CauseInfo{Cause::gradMode,
              "grad-mode",
              "the grad mode",
              {"set-once", "check-global-state"},
              kText("call it always inside, or always outside, no_grad and inference_mode"),
              true},
    CauseInfo{Cause::globalState,
              "global-state",
              "a global switch",
              {"check-global-state", "set-once"},
              kText("set it once before the first call; changed: {values}"),
              true},
    CauseInfo{Cause::ambientState,
              "ambient-state",
              "the state around the call",
              {"check-global-state", "set-once"},
              kText("keep it the same around every call: {name}"),
              true},
    CauseInfo{
        Cause::intSpecialization,
        "int-specialization",
        "a Python integer",
        {"wrap-scalar-in-tensor", "mark-dynamic"},
        kText("pass {name} as a tensor (torch.tensor({name})), or compile with dynamic=True; seen: {values}"),
        false},
    CauseInfo{Cause::floatSpecialization,
              "float-specialization",
              "a Python float",
              {"wrap-scalar-in-tensor"},
              kText("pass {name} as a tensor (torch.tensor({name})); seen: {values}"),
              false},
    CauseInfo{Cause::objectIdentity,
              "object-identity",
              "an object",
              {"share-object", "id-match-new-module"},
              kText("use one object for {name} instead of a new one at every call or layer"),
              false},
    CauseInfo{Cause::type,
              "type",
              "a type",
              {"set-once"},
              kText("pass {name} with the same type at every call, or compile a function per type"),
              false},
    CauseInfo{Cause::key,
              "key",
              "the content of a container",
              {"set-once", "pad-inputs"},
              kText("give {name} the same keys and length at every call; seen: {values}"),
              false},
    CauseInfo{
        Cause::parameterShape,
        "parameter-shape",
        "the shape of a parameter",
        {"param-static-shapes"},
        kText(
            "torch._dynamo.config.force_parameter_static_shapes = False, so that one graph serves layers of "
            "other sizes ({name}, dim {dim}: {values})"),
        false},
    CauseInfo{
        Cause::unknown,
        "unknown",
        "something",
        {"run-verbose-guards"},
        kText("run once with TORCH_LOGS=recompiles_verbose to see all guards; the one named: {name}; seen: "
              "{values}"),
        false},
};

} // namespace

const CauseInfo& info(Cause cause) {
    return kCauses[static_cast<std::size_t>(cause)];
}

std::span<const CauseInfo> allCauses() {
    return kCauses;
}

} // namespace divdet
