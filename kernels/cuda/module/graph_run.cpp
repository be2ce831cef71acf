#include "cuda/module/graph_run.h"

#include <utility>

#include "cuda/module/failure.h"
#include "cuda/module/launches.h"

using namespace divdet::cuda;

namespace {

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

GraphRun::GraphRun(divdet_session& session, const divdet_graph& graph, const divdet_run_options* options)
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

std::unique_ptr<divdet_run> GraphRun::run(std::uint32_t& at) {
    upload();
    std::vector<Stopwatch> watches;
    for (at = 0; at < m_graph.op_count; ++at) {
        checkCancelled();
        const divdet_op& op = m_graph.ops[at];
        watches.emplace_back(m_session.queue.stream());
        put(op.outputs[0], resultOf(at));
        watches.back().stop();
        for (std::uint32_t k = 0; k < op.input_count; ++k)
            if (m_lastUse[op.inputs[k]] <= at) m_values[op.inputs[k]].reset();
    }
    m_session.queue.wait();
    auto run = withTaps();
    for (const Stopwatch& w : watches) run->milliseconds.push_back(w.milliseconds());
    return run;
}

divdet_promise GraphRun::promise(std::uint32_t at) {
    std::vector<Value> inputs;
    for (std::uint32_t k = 0; k < m_graph.ops[at].input_count; ++k) {
        const divdet_tensor_type& type = m_graph.values[m_graph.ops[at].inputs[k]].type;
        inputs.push_back(std::make_shared<const DeviceValue>(DeviceValue{type, {}}));
    }
    const Attributes attributes(m_graph.ops[at]);
    return promiseOf(callOf(at, attributes, inputs));
}

OpCall GraphRun::callOf(std::uint32_t at, const Attributes& attributes,
                        const std::vector<Value>& inputs) const {
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

void GraphRun::checkCancelled() const {
    if (m_options && m_options->cancelled && m_options->cancelled(m_options->context))
        throw Failure{DIVDET_CANCELLED, "cancelled"};
}

void GraphRun::upload() {
    for (std::uint32_t i = 0; i < m_graph.value_count; ++i) {
        const divdet_value& v = m_graph.values[i];
        if (!v.data || m_values[i]) continue;
        m_values[i] = m_session.m_kept.find(v.cache_key, v.type);
        if (m_values[i]) continue;
        m_values[i] = sent(i, v.data);
        m_session.m_kept.keep(v.cache_key, m_values[i]);
    }
}

GraphRun::Value GraphRun::sent(std::uint32_t value, const void* bytes) const {
    const divdet_tensor_type& type = m_graph.values[value].type;
    auto to =
        std::make_shared<const DeviceValue>(DeviceValue{type, Buffer(m_session.queue, byteCount(type))});
    send(to, bytes);
    return to;
}

void GraphRun::send(const Value& to, const void* bytes) const {
    if (to->bytes.bytes() == 0) return;
    check(cudaMemcpyAsync(to->bytes.data(), bytes, to->bytes.bytes(), cudaMemcpyHostToDevice,
                          m_session.queue.stream()),
          "copying an input to the device");
}

DeviceValue GraphRun::resultOf(std::uint32_t at) const {
    const divdet_op& op = m_graph.ops[at];
    std::vector<Value> inputs;
    for (std::uint32_t k = 0; k < op.input_count; ++k) {
        if (!m_values[op.inputs[k]]) invalid("an op reads a value that nobody has written");
        inputs.push_back(m_values[op.inputs[k]]);
    }
    const Attributes attributes(op);
    return runOp(callOf(at, attributes, inputs));
}

void GraphRun::put(std::uint32_t value, DeviceValue result) {
    m_values[value] = std::make_shared<const DeviceValue>(std::move(result));
    m_session.m_kept.keep(m_graph.values[value].cache_key, m_values[value]);
}

std::unique_ptr<divdet_run> GraphRun::withTaps() const {
    auto run = std::make_unique<divdet_run>();
    run->owner = &m_session;
    run->queue = &m_session.queue;
    for (std::uint32_t i = 0; i < m_graph.tap_count; ++i) {
        const auto& value = m_values[m_graph.taps[i]];
        if (!value) invalid("a tap of a value that nobody has written");
        run->taps.push_back(value);
    }
    return run;
}
