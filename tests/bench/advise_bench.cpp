// How often honest runs of the twin fail the tolerance that the advisor derives, on draws it has not seen,
// and how often a fault is caught there: `advise_bench RUNS P K [DEVICE]`, a bf16 matmul of 64 x K x 64.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "host/twin_backend.h"
#include "run/architecture.h"
#include "run/registry.h"
#include "session/advise/fault_runs.h"

namespace divdet {
namespace {

constexpr std::uint64_t kUnseen = 1'000'000; ///< first seed

bool fails(const Draw& draw, const std::vector<double>& c, const Tolerance& t) {
    for (std::size_t i = 0; i < c.size(); ++i)
        if (!passes(t, c[i], draw.reference[i])) return true;
    return false;
}

int simulate(int runs, double p, std::int64_t k, const std::string& id) {
    auto twin = std::make_shared<host::TwinBackend>();
    auto backends = std::make_shared<run::BackendRegistry>();
    backends->add(twin);
    Session session(backends);
    AdviseRequest request;
    request.sizes = {{"m", 64}, {"n", 64}, {"k", k}};
    request.dtype = request.output = "bf16";
    request.p = p;
    request.device = id;
    const auto advice = advise(session, request);
    const auto block = advisedBlock(request);
    const auto device = session.backends().find(id);
    if (!advice || !block || !device) return std::puts("this does not run"), 1;
    const AdviseTarget target{*twin, device->device.id, *run::parseArchitecture(device->device.architecture)};
    int sharpest = 0, linked = 0;
    for (int i = 0; i < runs; ++i) {
        const auto draw = drawData(*block, kUnseen + static_cast<std::uint64_t>(i), target, {});
        const auto c = outputsOf(*block, *draw, {}, target, {});
        sharpest += fails(*draw, *c, (*advice)->recommended);
        linked += fails(*draw, *c, (*advice)->linked);
        if ((i + 1) % 1000 != 0 && i + 1 != runs) continue;
        std::printf("k %lld p %g: %d runs: recommended (%.4g, %.4g) fails %d = %.3f %%, linked (%.4g, %.4g) "
                    "%d = %.3f %%\n",
                    static_cast<long long>(k), p, i + 1, (*advice)->recommended.rtol,
                    (*advice)->recommended.atol, sharpest, 100.0 * sharpest / (i + 1), (*advice)->linked.rtol,
                    (*advice)->linked.atol, linked, 100.0 * linked / (i + 1));
        std::fflush(stdout);
    }
    return 0;
}

} // namespace
} // namespace divdet

int main(int argc, char** argv) {
    const auto number = [&](int at, double usual) { return argc > at ? std::atof(argv[at]) : usual; };
    return divdet::simulate(static_cast<int>(number(1, 10000)), number(2, 1e-2),
                            static_cast<std::int64_t>(number(3, 4096)), argc > 4 ? argv[4] : "cpu:sm_80");
}
