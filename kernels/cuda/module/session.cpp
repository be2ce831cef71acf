#include "cuda/module/session.h"

#include <algorithm>

#include "cuda/module/failure.h"
#include "cuda/module/graph_run.h"

using namespace divdet::cuda;

namespace {

/// Values are kept for later runs in this much memory, or in a quarter of the device's.
constexpr std::size_t kMaxKeptBytes = std::size_t{2} << 30;

cudaDeviceProp propertiesOf(int device) {
    cudaDeviceProp p;
    check(cudaGetDeviceProperties(&p, device), "asking the device");
    return p;
}

int computeCapability(const cudaDeviceProp& p) {
    return p.major * 10 + p.minor;
}

} // namespace

divdet_session::divdet_session(int device)
    : queue(device)
    , arch(static_cast<divdet::numerics::Arch>(computeCapability(propertiesOf(device))))
    , m_kept(std::min(kMaxKeptBytes, propertiesOf(device).totalGlobalMem / 4)) {
    queue.whenShort([this] { return m_kept.dropAll(); });
}

void divdet_session::forget(const divdet_run* run) {
    queue.use();
    std::erase_if(runs, [&](const auto& r) { return r.get() == run; });
}

const LibraryGemm* divdet_session::library(const divdet_run_options* options) {
    if (!options || !options->use_library_gemm) return nullptr;
    std::string whyNot;
    if (!m_library) m_library = LibraryGemm::open(queue, whyNot);
    if (!m_library) unsupported("cuBLAS is not there: " + whyNot);
    return m_library.get();
}

template <class Body>
std::unique_ptr<divdet_run> divdet_session::guarded(const Body& body) const {
    queue.use();
    try {
        return body();
    } catch (...) {
        // Kernels may still read what the caller gave; nothing of it is used after this returns.
        cudaStreamSynchronize(queue.stream());
        throw;
    }
}

std::unique_ptr<divdet_run> divdet_session::run(const divdet_graph& graph, const divdet_run_options* options,
                                                std::uint32_t& failedOp) {
    failedOp = graph.op_count;
    return guarded([&] { return GraphRun(*this, graph, options).run(failedOp); });
}

std::unique_ptr<divdet_run> divdet_session::replay(const divdet_graph& graph,
                                                   const divdet_run_options* options,
                                                   const divdet_replay& how, std::uint32_t& failedOp) {
    failedOp = graph.op_count;
    return guarded([&] { return GraphRun(*this, graph, options).replay(how, failedOp); });
}

divdet_promise divdet_session::promise(const divdet_graph& graph, std::uint32_t op,
                                       const divdet_run_options* options) {
    queue.use();
    if (op >= graph.op_count) invalid("there is no such op");
    return GraphRun(*this, graph, options).promise(op);
}
