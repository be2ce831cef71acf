#pragma once
#include <cuda_runtime.h>

#include <functional>
#include <string>

#include "cuda/module/queue.h"

namespace divdet::cuda {

/// Launches as one executable graph. A driver that refuses to capture is no error: it is asked no more, and
/// whoever launches goes on without (whyNot()).
class CapturedGraph {
public:
    explicit CapturedGraph(const Queue& queue)
        : m_queue(queue) {}
    ~CapturedGraph();
    CapturedGraph(const CapturedGraph&) = delete;
    CapturedGraph& operator=(const CapturedGraph&) = delete;

    /// Captures what `launches` puts on the queue's stream, which does not run now; a second capture updates
    /// the graph. Throws only what `launches` throws of its own: no device error.
    void capture(const std::function<void()>& launches);
    /// False where there is nothing to launch because capturing was refused. Throws Failure.
    bool launch() const;
    const std::string& whyNot() const { return m_whyNot; }

private:
    void adopt(cudaGraph_t graph);
    void refuse(const char* what, cudaError_t error);

    const Queue& m_queue;
    cudaGraphExec_t m_executable = nullptr;
    std::string m_whyNot;
};

} // namespace divdet::cuda
