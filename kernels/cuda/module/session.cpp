#include "cuda/module/session.h"

#include <algorithm>
#include <utility>

#include "cuda/module/failure.h"
#include "cuda/module/launches.h"

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
        for (std::uint32_t i = 0; i < m_graph.tap_count; ++i) {
            const auto& value = m_values[m_graph.taps[i]];
            if (!value) invalid("a tap of a value that nobody has written");
            run->taps.push_back(value);
        }
        for (const Stopwatch& w : watches) run->milliseconds.push_back(w.milliseconds());
        return run;
    }

    /// The op as it would run, with inputs that have types but no bytes.
    divdet_promise promise(std::uint32_t at) {
        std::vector<std::shared_ptr<const DeviceValue>> inputs;
        for (std::uint32_t k = 0; k < m_graph.ops[at].input_count; ++k) {
            const divdet_tensor_type& type = m_graph.values[m_graph.ops[at].inputs[k]].type;
            inputs.push_back(std::make_shared<const DeviceValue>(DeviceValue{type, {}}));
        }
        const Attributes attributes(m_graph.ops[at]);
        return promiseOf(callOf(at, attributes, inputs));
    }

private:
    OpCall callOf(std::uint32_t at, const Attributes& attributes,
                  const std::vector<std::shared_ptr<const DeviceValue>>& inputs) const {
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
            m_values[i] = m_session.m_kept.find(v.cache_key, v.type);
            if (m_values[i]) continue;
            DeviceValue value{v.type, Buffer(m_session.queue, byteCount(v.type))};
            if (value.bytes.bytes())
                check(cudaMemcpyAsync(value.bytes.data(), v.data, value.bytes.bytes(), cudaMemcpyHostToDevice,
                                      m_session.queue.stream()),
                      "copying an input to the device");
            put(i, std::move(value));
        }
    }

    void put(std::uint32_t at, DeviceValue value) {
        m_values[at] = std::make_shared<const DeviceValue>(std::move(value));
        m_session.m_kept.keep(m_graph.values[at].cache_key, m_values[at]);
    }

    void runOne(std::uint32_t at) {
        const divdet_op& op = m_graph.ops[at];
        std::vector<std::shared_ptr<const DeviceValue>> inputs;
        for (std::uint32_t k = 0; k < op.input_count; ++k) {
            if (!m_values[op.inputs[k]]) invalid("an op reads a value that nobody has written");
            inputs.push_back(m_values[op.inputs[k]]);
        }
        const Attributes attributes(op);
        put(op.outputs[0], runOp(callOf(at, attributes, inputs)));
        for (std::uint32_t k = 0; k < op.input_count; ++k)
            if (m_lastUse[op.inputs[k]] <= at) m_values[op.inputs[k]].reset();
    }

    divdet_session& m_session;
    const divdet_graph& m_graph;
    const divdet_run_options* m_options;
    const LibraryGemm* m_library;
    std::vector<std::shared_ptr<const DeviceValue>> m_values;
    std::vector<std::uint32_t> m_lastUse; ///< op after which a value may go
};

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
