#include "cuda_on_cpu/graphs.h"

struct CudaOnCpuGraph {
    std::vector<std::function<void()>> nodes;
};

namespace {

using cuda_on_cpu::graphCalls;
using cuda_on_cpu::Refused;

Refused g_refused = Refused::nothing;
bool g_capturing = false, g_spoiled = false;
CudaOnCpuGraph g_captured;

bool refuses(Refused what, std::string call) {
    graphCalls().push_back(std::move(call));
    return g_refused == what;
}

} // namespace

namespace cuda_on_cpu {

std::vector<std::string>& graphCalls() {
    static std::vector<std::string> calls;
    return calls;
}
void refuse(Refused what) {
    g_refused = what;
}
bool capturing() {
    return g_capturing;
}
cudaError_t spoilCapture() {
    g_spoiled = true;
    return cudaErrorStreamCaptureUnsupported;
}
void enqueue(std::function<void()> work) {
    if (g_capturing)
        g_captured.nodes.push_back(std::move(work));
    else
        work();
}

} // namespace cuda_on_cpu

cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
    if (refuses(Refused::begin, "begin")) return cudaErrorStreamCaptureUnsupported;
    g_capturing = true;
    g_spoiled = false;
    g_captured.nodes.clear();
    return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph) {
    g_capturing = false;
    *graph = nullptr;
    if (refuses(Refused::end, "end") || g_spoiled) return cudaErrorStreamCaptureInvalidated;
    *graph = new CudaOnCpuGraph(std::move(g_captured));
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
    if (refuses(Refused::instantiate, "instantiate")) return cudaErrorStreamCaptureUnsupported;
    *executable = new CudaOnCpuGraph(*graph);
    return cudaSuccess;
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo*) {
    if (refuses(Refused::update, "update") || executable->nodes.size() != graph->nodes.size())
        return cudaErrorGraphExecUpdateFailure;
    executable->nodes = graph->nodes;
    return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t) {
    if (refuses(Refused::launch, "launch")) return cudaErrorInvalidDevice;
    for (const auto& node : executable->nodes) node();
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    delete graph;
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
    graphCalls().push_back("destroy");
    delete executable;
    return cudaSuccess;
}
