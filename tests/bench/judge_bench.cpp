// What the judge costs beside the fp64 reference run of the same block, in one run: ratios, not times.
#include <chrono>
#include <cstdio>
#include <ctime>

#include "block/presets.h"
#include "host/twin_backend.h"
#include "judge/envelope/envelope.h"
#include "judge/local/residual.h"
#include "lower/lower.h"
#include "run/reference.h"

namespace divdet {
namespace {

/// The best of five, on the clock on the wall and of the processors: the second is the steadier where others
/// compute beside it.
struct Time {
    double wall = 1e300, processor = 1e300;
};

Time timed(const auto& work) {
    Time best;
    for (int i = 0; i < 5; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const auto ticks = std::clock();
        work();
        const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
        best.wall = std::min(best.wall, wall.count());
        best.processor = std::min(best.processor, static_cast<double>(std::clock() - ticks) / CLOCKS_PER_SEC);
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
    const Time reference = timed([&] { static_cast<void>(run::reference64(block, inputs)); });
    const local::RecordedRun recorded{program, inputs.tensors, taps, numerics::Arch::sm80,
                                      local::Order::known};
    const Time residual = timed([&] { static_cast<void>(local::localResiduals(recorded)); });
    const Time spread = timed(
        [&] { static_cast<void>(envelope::envelopeOf(program, inputs.tensors, numerics::Arch::sm80)); });
    std::printf("%-12s %-22s fp64 reference %6.1f ms  residuals %.2f x  envelope %.2f x  both %.2f x   of "
                "processor time %.2f + %.2f = %.2f x\n",
                preset, text.c_str(), reference.wall * 1e3, residual.wall / reference.wall,
                spread.wall / reference.wall, (residual.wall + spread.wall) / reference.wall,
                residual.processor / reference.processor, spread.processor / reference.processor,
                (residual.processor + spread.processor) / reference.processor);
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
