#include "session/block_setup.h"

#include <algorithm>

#include "lower/lower.h"
#include "lower/pass_info.h"
#include "run/reference.h"
#include "run/replay.h"

namespace divdet {

Result<BlockSetup> prepareBlock(Session& session, const BlockRequest& request, const Progress& progress) {
    const auto written = blockGraph(request);
    if (!written) return written.error();
    auto graph = block::bind(*written);
    if (!graph) return graph.error();
    for (const auto& choice : request.passes)
        if (auto fits = lower::checkFit(*graph, choice); !fits) return fits.error();
    auto device = session.backends().find(request.device);
    if (!device) return device.error();
    auto inputs = run::makeInputs(*graph, request.seed, &session.cache(), progress, device->backend.get());
    if (!inputs) return inputs.error();
    const run::Target target{*device->backend, device->device.id, &session.cache()};
    auto reference = request.reference == ReferenceKind::fp64
                         ? run::reference64(*graph, *inputs, &session.cache(), progress)
                         : run::reference32(*graph, *inputs, target, progress);
    if (!reference) return reference.error();
    return BlockSetup{std::move(*graph), std::move(*inputs), std::move(*device), std::move(*reference)};
}

Result<run::Taps> runWithPasses(Session& session, const BlockSetup& setup,
                                const std::vector<lower::PassChoice>& passes, const BlockRequest& request,
                                std::vector<std::string>* notes, const Progress& progress) {
    auto lowered = lower::lower(setup.graph, passes, request.runNumber);
    if (!lowered) return lowered.error();
    if (notes) *notes = lowered->notes;
    const run::Target target{*setup.device.backend, setup.device.device.id, &session.cache()};
    return run::runProgram(*lowered, setup.inputs, request.seed, target, progress);
}

bool isDrift(const lower::PassChoice& choice, const BlockRequest& request) {
    const auto info = lower::findPass(choice.id);
    return (info && info->kind == lower::PassKind::drift) ||
           std::count(request.declared.begin(), request.declared.end(), choice.id) > 0;
}

} // namespace divdet
