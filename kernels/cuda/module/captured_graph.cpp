#include "cuda/module/captured_graph.h"

#include "cuda/module/failure.h"

namespace divdet::cuda {

CapturedGraph::~CapturedGraph() {
    if (m_executable) cudaGraphExecDestroy(m_executable);
}

void CapturedGraph::capture(const std::function<void()>& launches) {
    if (!m_whyNot.empty()) return;
    // Of this thread's calls only: other sessions may take memory meanwhile.
    const cudaError_t begun = cudaStreamBeginCapture(m_queue.stream(), cudaStreamCaptureModeThreadLocal);
    if (begun != cudaSuccess) return refuse("beginning a capture", begun);
    std::string failed;
    try {
        launches();
    } catch (const Failure& f) {
        failed = f.text;
        if (f.status != DIVDET_DEVICE_ERROR) {
            cudaGraph_t rest = nullptr;
            cudaStreamEndCapture(m_queue.stream(), &rest);
            if (rest) cudaGraphDestroy(rest);
            cudaGetLastError();
            throw;
        }
    }
    cudaGraph_t graph = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(m_queue.stream(), &graph);
    if (ended != cudaSuccess || !failed.empty()) {
        if (graph) cudaGraphDestroy(graph);
        refuse("capturing", ended);
        if (!failed.empty()) m_whyNot = "capturing: " + failed;
        return;
    }
    adopt(graph);
    cudaGraphDestroy(graph);
}

void CapturedGraph::adopt(cudaGraph_t graph) {
    if (m_executable) {
        cudaGraphExecUpdateResultInfo info{};
        if (cudaGraphExecUpdate(m_executable, graph, &info) == cudaSuccess) return;
        cudaGetLastError(); // then it is built anew
        cudaGraphExecDestroy(m_executable);
        m_executable = nullptr;
    }
    if (const cudaError_t made = cudaGraphInstantiate(&m_executable, graph, 0); made != cudaSuccess) {
        m_executable = nullptr;
        refuse("building a graph", made);
    }
}

void CapturedGraph::refuse(const char* what, cudaError_t error) {
    cudaGetLastError(); // it does not stick
    if (m_executable) cudaGraphExecDestroy(m_executable);
    m_executable = nullptr;
    m_whyNot = std::string(what) + ": " + cudaGetErrorString(error);
}

bool CapturedGraph::launch() const {
    if (!m_executable) return false;
    check(cudaGraphLaunch(m_executable, m_queue.stream()), "launching a captured graph");
    return true;
}

} // namespace divdet::cuda
