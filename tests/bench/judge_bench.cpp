// What the judge costs beside the fp64 reference run of the same block, in one run: ratios, not times.
#include <chrono>
#include <cstdio>

#include "block/presets.h"
#include "host/twin_backend.h"
#include "judge/envelope/envelope.h"
#include "judge/local/residual.h"
#include "lower/lower.h"
#include "run/reference.h"

namespace divdet {
namespace {

double seconds(const auto& work) {
    double best = 1e300;
    for (int i = 0; i < 3; ++i) {
        const auto start = std::chrono::steady_clock::now();
        work();
        best =
            std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

void measure(const char* preset, const std::vector<std::string>& passes) {
    const auto block = *block::bind(*block::preset(preset));
    std::vector<lower::PassChoice> choices;
    std::string text;
    for (const auto& p : passes) choices.push_back(*lower::parsePass(p)), text += p + " ";
    const auto inputs = *run::makeInputs(block, 0);
    const auto program = *lower::lower(block, choices);
    host::TwinBackend twin;
    const auto taps = *run::execute(program, inputs, {twin, "cpu:sm_80", nullptr});
    const double reference = seconds([&] { static_cast<void>(run::reference64(block, inputs)); });
    const local::RecordedRun recorded{program, inputs.tensors, taps, numerics::Arch::sm80,
                                      local::Order::known};
    const double residual = seconds([&] { static_cast<void>(local::localResiduals(recorded)); });
    const double spread = seconds(
        [&] { static_cast<void>(envelope::envelopeOf(program, inputs.tensors, numerics::Arch::sm80)); });
    std::printf("%-12s %-24s fp64 reference %6.1f ms  residuals %6.1f ms = %.2f x  envelope %6.1f ms = %.2f "
                "x  both %.2f x\n",
                preset, text.c_str(), reference * 1e3, residual * 1e3, residual / reference, spread * 1e3,
                spread / reference, (residual + spread) / reference);
    std::fflush(stdout);
}

} // namespace
} // namespace divdet

int main(int argc, char** argv) {
    // The seconds a run takes are few on the default block; the others are asked for by name.
    const std::vector<std::string> presets =
        argc > 1 ? std::vector<std::string>(argv + 1, argv + argc) : std::vector<std::string>{"mlp"};
    for (const std::string& preset : presets)
        for (const std::vector<std::string>& passes : {std::vector<std::string>{},
                                                       {"tf32"},
                                                       {"int8"},
                                                       {"bf16"},
                                                       {"reassociate=pairwise"},
                                                       {"reassociate=splitk:8"}})
            divdet::measure(preset.c_str(), passes);
}
