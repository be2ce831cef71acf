#include "cuda/module/session.h"

#include <utility>

#include "cuda/module/failure.h"
#include "cuda/module/launches.h"

using namespace divdet::cuda;

namespace {

/// Uploads are kept for the next run until they take this much, then all are dropped.
constexpr std::size_t kMaxUploadedBytes = std::size_t{2} << 30;

int computeCapability(int device) {
    cudaDeviceProp p;
    check(cudaGetDeviceProperties(&p, device), "asking the device");
    return p.major * 10 + p.minor;
}

/// Two events around one op.
class Stopwatch {
public:
    explicit Stopwatch(cudaStream_t stream)
        : m_stream(stream) {
        check(cudaEventCreate(&m_first), "making an event");
        check(cudaEventCreate(&m_last), "making an event");
        check(cudaEventRecord(m_first, stream), "recording an event");
    }
    Stopwatch(Stopwatch&& other) noexcept
        : m_stream(other.m_stream)
        , m_first(other.m_first)
        , m_last(other.m_last)
        , m_owns(std::exchange(other.m_owns, false)) {}
    Stopwatch& operator=(Stopwatch&&) = delete;
    ~Stopwatch() {
        if (!m_owns) return;
        cudaEventDestroy(m_first);
        cudaEventDestroy(m_last);
    }
    void stop() { check(cudaEventRecord(m_last, m_stream), "recording an event"); }
    double milliseconds() const { ///< after the stream was waited for
        float ms = -1;
        return cudaEventElapsedTime(&ms, m_first, m_last) == cudaSuccess ? ms : -1.0;
    }

private:
    cudaStream_t m_stream;
    cudaEvent_t m_first = nullptr, m_last = nullptr;
    bool m_owns = true;
};

void checkIndex(std::uint32_t index, std::uint32_t count, const char* what) {
    if (index >= count) invalid(std::string(what) + " outside the graph's values");
}

} // namespace

/// One graph on its way through the ops.
class GraphRun {
public:
    GraphRun(divdet_session& session, const divdet_graph& graph, const divdet_run_options* options)
        : m_session(session)
        , m_graph(graph)
        , m_options(options)
        , m_library(session.library(options))
        , m_values(graph.value_count)
        , m_lastUse(graph.value_count, 0) {
        for (std::uint32_t i = 0; i < graph.op_count; ++i) {
            const divdet_op& op = graph.ops[i];
            if (!op.kind || op.output_count != 1) invalid("an op without a kind, or with several outputs");
            for (std::uint32_t k = 0; k < op.input_count; ++k) {
                checkIndex(op.inputs[k], graph.value_count, "an op reads a value");
                m_lastUse[op.inputs[k]] = i;
            }
            checkIndex(op.outputs[0], graph.value_count, "an op writes a value");
        }
        for (std::uint32_t i = 0; i < graph.tap_count; ++i) {
            checkIndex(graph.taps[i], graph.value_count, "a tap is a value");
            m_lastUse[graph.taps[i]] = graph.op_count; // kept
        }
    }

    std::unique_ptr<divdet_run> run(std::uint32_t& at) {
        upload();
        std::vector<Stopwatch> watches;
        for (at = 0; at < m_graph.op_count; ++at) {
            if (m_options && m_options->cancelled && m_options->cancelled(m_options->context))
                throw Failure{DIVDET_CANCELLED, "cancelled"};
            watches.emplace_back(m_session.queue.stream());
            runOne(at);
            watches.back().stop();
        }
        m_session.queue.wait();
        auto run = std::make_unique<divdet_run>();
        run->owner = &m_session;
        run->queue = &m_session.queue;
        for (std::uint32_t i = 0; i < m_graph.tap_count; ++i) run->taps.push_back(take(i));
        for (const Stopwatch& w : watches) run->milliseconds.push_back(w.milliseconds());
        return run;
    }

    /// The op as it would run, with inputs that have types but no bytes.
    divdet_promise promise(std::uint32_t at) {
        std::vector<std::shared_ptr<DeviceValue>> inputs;
        for (std::uint32_t k = 0; k < m_graph.ops[at].input_count; ++k) {
            inputs.push_back(std::make_shared<DeviceValue>());
            inputs.back()->type = m_graph.values[m_graph.ops[at].inputs[k]].type;
        }
        const Attributes attributes(m_graph.ops[at]);
        return promiseOf(callOf(at, attributes, inputs));
    }

private:
    OpCall callOf(std::uint32_t at, const Attributes& attributes,
                  const std::vector<std::shared_ptr<DeviceValue>>& inputs) const {
        const divdet_op& op = m_graph.ops[at];
        OpCall call{m_session.queue,
                    m_session.arch,
                    m_library,
                    op.kind,
                    attributes,
                    Slots::of(attributes),
                    {},
                    m_graph.values[op.outputs[0]].type,
                    m_options ? m_options->run_number : 0};
        for (const auto& v : inputs) call.inputs.push_back(v.get());
        return call;
    }

    void upload() {
        for (std::uint32_t i = 0; i < m_graph.value_count; ++i) {
            const divdet_value& v = m_graph.values[i];
            if (!v.data) continue;
            const std::size_t bytes = byteCount(v.type);
            auto& known = m_session.m_uploads;
            const auto found = v.cache_key ? known.find(v.cache_key) : known.end();
            if (found != known.end() && found->second->bytes.bytes() == bytes) {
                m_values[i] = found->second;
                continue;
            }
            auto value = std::make_shared<DeviceValue>();
            value->type = v.type;
            value->bytes = Buffer(m_session.queue, bytes);
            if (bytes)
                check(cudaMemcpyAsync(value->bytes.data(), v.data, bytes, cudaMemcpyHostToDevice,
                                      m_session.queue.stream()),
                      "copying an input to the device");
            if (v.cache_key) remember(v.cache_key, value, bytes);
            m_values[i] = std::move(value);
        }
    }

    void remember(std::uint64_t key, const std::shared_ptr<DeviceValue>& value, std::size_t bytes) {
        if (m_session.m_uploadedBytes + bytes > kMaxUploadedBytes) {
            m_session.m_uploads.clear();
            m_session.m_uploadedBytes = 0;
        }
        m_session.m_uploads[key] = value;
        m_session.m_uploadedBytes += bytes;
    }

    void runOne(std::uint32_t at) {
        const divdet_op& op = m_graph.ops[at];
        std::vector<std::shared_ptr<DeviceValue>> inputs;
        for (std::uint32_t k = 0; k < op.input_count; ++k) {
            if (!m_values[op.inputs[k]]) invalid("an op reads a value that nobody has written");
            inputs.push_back(m_values[op.inputs[k]]);
        }
        const Attributes attributes(op);
        m_values[op.outputs[0]] = std::make_shared<DeviceValue>(runOp(callOf(at, attributes, inputs)));
        for (std::uint32_t k = 0; k < op.input_count; ++k)
            if (m_lastUse[op.inputs[k]] <= at) m_values[op.inputs[k]].reset();
    }

    /// A tap's value: moved out, or copied where it is an upload that the session keeps or tapped once more.
    DeviceValue take(std::uint32_t tap) {
        auto& value = m_values[m_graph.taps[tap]];
        if (!value) invalid("a tap of a value that nobody has written");
        bool again = false;
        for (std::uint32_t i = tap + 1; i < m_graph.tap_count; ++i)
            again = again || m_graph.taps[i] == m_graph.taps[tap];
        if (value.use_count() == 1 && !again) {
            DeviceValue moved = std::move(*value);
            value.reset();
            return moved;
        }
        DeviceValue copy{value->type, Buffer(m_session.queue, value->bytes.bytes())};
        if (copy.bytes.bytes())
            check(cudaMemcpyAsync(copy.bytes.data(), value->bytes.data(), copy.bytes.bytes(),
                                  cudaMemcpyDeviceToDevice, m_session.queue.stream()),
                  "keeping a tap");
        return copy;
    }

    divdet_session& m_session;
    const divdet_graph& m_graph;
    const divdet_run_options* m_options;
    const LibraryGemm* m_library;
    std::vector<std::shared_ptr<DeviceValue>> m_values;
    std::vector<std::uint32_t> m_lastUse; ///< op after which a value may go
};

divdet_session::divdet_session(int device)
    : queue(device)
    , arch(static_cast<divdet::numerics::Arch>(computeCapability(device))) {}

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

std::unique_ptr<divdet_run> divdet_session::run(const divdet_graph& graph, const divdet_run_options* options,
                                                std::uint32_t& failedOp) {
    queue.use();
    failedOp = graph.op_count;
    try {
        return GraphRun(*this, graph, options).run(failedOp);
    } catch (...) {
        // Kernels may still read what the caller gave; nothing of it is used after this returns.
        cudaStreamSynchronize(queue.stream());
        throw;
    }
}

divdet_promise divdet_session::promise(const divdet_graph& graph, std::uint32_t op,
                                       const divdet_run_options* options) {
    queue.use();
    if (op >= graph.op_count) invalid("there is no such op");
    return GraphRun(*this, graph, options).promise(op);
}
