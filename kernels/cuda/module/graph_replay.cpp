#include <cstdio>

#include "cuda/module/captured_graph.h"
#include "cuda/module/failure.h"
#include "cuda/module/graph_run.h"
#include "cuda/module/memory_tape.h"

using namespace divdet::cuda;

/// A graph that runs again and again in the memory of its first run.
class GraphReplay {
public:
    GraphReplay(GraphRun& run, const divdet_replay& how, std::uint32_t& at)
        : m_run(run)
        , m_graph(run.m_graph)
        , m_how(how)
        , m_at(at)
        , m_tape(std::make_shared<MemoryTape>(run.m_session.queue))
        , m_stale(m_graph.op_count, false)
        , m_firstRequest(m_graph.op_count + 1, 0) {
        for (std::uint32_t i = 0; i < how.stale_count; ++i) {
            if (how.stale[i] >= m_graph.op_count) invalid("a stale op is outside the graph");
            m_stale[how.stale[i]] = true;
        }
    }

    std::unique_ptr<divdet_run> operator()() {
        Queue& queue = m_run.m_session.queue;
        placeInputs();
        m_run.upload();
        play(false); // takes the memory, and lets libraries and driver load what may not be loaded later
        m_tape->seal();
        queue.wait();
        CapturedGraph captured(queue);
        captured.capture([this] { play(false); });
        launch(captured, false);
        if (m_how.stale_count > 0) {
            for (std::uint32_t i = 0; i < m_graph.op_count; ++i)
                if (m_stale[i]) m_tape->makeSpares(m_firstRequest[i], m_firstRequest[i + 1]);
            queue.wait();
            captured.capture([this] { play(true); });
        }
        rewriteInputs();
        launch(captured, true);
        queue.wait();
        if (m_how.note && m_how.note_capacity)
            std::snprintf(m_how.note, m_how.note_capacity, "%s", captured.whyNot().c_str());
        m_at = m_graph.op_count;
        auto run = m_run.withTaps();
        run->memory = m_tape;
        run->milliseconds.assign(m_graph.op_count, -1.0);
        return run;
    }

private:
    const void* previousOf(std::uint32_t value) const {
        return m_how.previous ? m_how.previous[value] : nullptr;
    }

    /// Inputs that change have a place of their own: what a session keeps under a key must not change.
    void placeInputs() {
        for (std::uint32_t i = 0; i < m_graph.value_count; ++i) {
            if (!previousOf(i)) continue;
            if (!m_graph.values[i].data) invalid("previous bytes of a value that has none of its own");
            m_run.m_values[i] = m_run.sent(i, previousOf(i));
        }
    }
    void rewriteInputs() {
        for (std::uint32_t i = 0; i < m_graph.value_count; ++i)
            if (previousOf(i)) m_run.send(m_run.m_values[i], m_graph.values[i].data);
    }

    void launch(const CapturedGraph& captured, bool withoutStale) {
        if (!captured.launch()) play(withoutStale);
    }

    /// Every op once. `withoutStale`: the results of stale ops go where nobody reads.
    void play(bool withoutStale) {
        const TapeOn tape(m_run.m_session.queue, *m_tape);
        m_tape->rewind();
        for (m_at = 0; m_at < m_graph.op_count; ++m_at) {
            m_run.checkCancelled();
            m_firstRequest[m_at] = m_tape->position();
            const bool lost = withoutStale && m_stale[m_at];
            m_tape->useSpares(lost);
            DeviceValue result = m_run.resultOf(m_at);
            m_tape->useSpares(false);
            if (!lost)
                m_run.m_values[m_graph.ops[m_at].outputs[0]] =
                    std::make_shared<const DeviceValue>(std::move(result));
        }
        m_firstRequest[m_at] = m_tape->position();
    }

    GraphRun& m_run;
    const divdet_graph& m_graph;
    const divdet_replay& m_how;
    std::uint32_t& m_at;
    std::shared_ptr<MemoryTape> m_tape;
    std::vector<bool> m_stale;
    std::vector<std::size_t> m_firstRequest; ///< by op: its first request of memory
};

std::unique_ptr<divdet_run> GraphRun::replay(const divdet_replay& how, std::uint32_t& at) {
    return GraphReplay(*this, how, at)();
}
