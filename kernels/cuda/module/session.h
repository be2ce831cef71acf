#pragma once
#include <memory>
#include <vector>

#include "cuda/module/kept_values.h"
#include "cuda/module/library_gemm.h"
#include "cuda/module/op_call.h"

/// The handles of the table: a session is one device with its stream, memory and cuBLAS handle; a run keeps
/// the taps of a finished graph.
struct divdet_run {
    divdet_session* owner;
    const divdet::cuda::Queue* queue;
    std::shared_ptr<const void> memory; ///< in which the taps of a replay lie
    std::vector<std::shared_ptr<const divdet::cuda::DeviceValue>> taps;
    std::vector<double> milliseconds; ///< by op
};

struct divdet_session {
    explicit divdet_session(int device);

    /// Throws Failure; `failedOp` is then the op at fault, or op_count.
    std::unique_ptr<divdet_run> run(const divdet_graph& graph, const divdet_run_options* options,
                                    std::uint32_t& failedOp);
    std::unique_ptr<divdet_run> replay(const divdet_graph& graph, const divdet_run_options* options,
                                       const divdet_replay& how, std::uint32_t& failedOp);
    divdet_promise promise(const divdet_graph& graph, std::uint32_t op, const divdet_run_options* options);

    void forget(const divdet_run* run); ///< frees a run that was handed out

    divdet::cuda::Queue queue; ///< outlives every buffer below
    divdet::numerics::Arch arch;
    std::vector<std::unique_ptr<divdet_run>> runs; ///< handed out and not yet released

private:
    const divdet::cuda::LibraryGemm* library(const divdet_run_options* options);

    std::unique_ptr<divdet::cuda::LibraryGemm> m_library;
    divdet::cuda::KeptValues m_kept; ///< uploads and results that have keys

    template <class Body>
    std::unique_ptr<divdet_run> guarded(const Body& body) const;

    friend class GraphRun;
};
