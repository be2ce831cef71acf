#pragma once
#include <memory>
#include <vector>

#include "cuda/module/session.h"

/// One graph on its way through the ops. Throws Failure, the constructor too, which checks the graph.
class GraphRun {
public:
    GraphRun(divdet_session& session, const divdet_graph& graph, const divdet_run_options* options);

    /// `at` is the op that runs, or op_count.
    std::unique_ptr<divdet_run> run(std::uint32_t& at);
    std::unique_ptr<divdet_run> replay(const divdet_replay& how, std::uint32_t& at); ///< graph_replay.cpp

    /// The op as it would run, with inputs that have types but no bytes.
    divdet_promise promise(std::uint32_t at);

private:
    using Value = std::shared_ptr<const divdet::cuda::DeviceValue>;

    divdet::cuda::OpCall callOf(std::uint32_t at, const divdet::cuda::Attributes& attributes,
                                const std::vector<Value>& inputs) const;
    void checkCancelled() const;
    void upload(); ///< values with bytes that have no place yet
    Value sent(std::uint32_t value, const void* bytes) const;
    void send(const Value& to, const void* bytes) const;
    divdet::cuda::DeviceValue resultOf(std::uint32_t op) const;
    void put(std::uint32_t value, divdet::cuda::DeviceValue result);
    std::unique_ptr<divdet_run> withTaps() const;

    divdet_session& m_session;
    const divdet_graph& m_graph;
    const divdet_run_options* m_options;
    const divdet::cuda::LibraryGemm* m_library;
    std::vector<Value> m_values;
    std::vector<std::uint32_t> m_lastUse; ///< op after which a value may go

    friend class GraphReplay;
};
