#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "block/graph_json.h"
#include "host/twin_backend.h"
#include "lower/pass_info.h"
#include "run/taps.h"
#include "scratch_folder.h"
#include "session/compare_dumps.h"
#include "session/run_block.h"
#include "session/save_taps.h"

namespace divdet::test {

/// Runs of divdet written as dumps with their graph and inputs, and compared again from those files alone.
class GraphRuns : public testing::Test {
protected:
    static Session& session() {
        static const auto backends = [] {
            auto registry = std::make_shared<run::BackendRegistry>();
            registry->add(std::make_shared<host::TwinBackend>());
            return registry;
        }();
        static Session session(backends);
        return session;
    }

    static BlockRequest small(const std::string& block) {
        BlockRequest r;
        r.block = block;
        r.eachAlone = false;
        r.dims["tokens"] = block == "lm" ? 128 : 16;
        if (block != "lm") r.dims["width"] = 64;
        if (block != "lm" && block != "attention") r.dims["hidden"] = 128;
        return r;
    }

    /// The run, and its files in the folder.
    std::shared_ptr<const LiveResult> run(BlockRequest r, const std::vector<std::string>& passes) {
        for (const auto& p : passes) r.passes.push_back(*lower::parsePass(p));
        auto result = runBlock(session(), r);
        EXPECT_TRUE(result.ok()) << result.error().text();
        if (!result) return nullptr;
        EXPECT_TRUE(writeBlockGraph(session(), r, m_folder / "graph.json").ok());
        EXPECT_TRUE(writeBlockInputs(session(), r, m_folder / "inputs.safetensors").ok());
        EXPECT_TRUE(saveTaps(*(*result)->reference, m_folder / "ref.safetensors").ok());
        EXPECT_TRUE(saveTaps(*(*result)->candidate, m_folder / "cand.safetensors").ok());
        return *result;
    }

    CompareRequest asked(const std::string& declare = "") const {
        CompareRequest r;
        r.reference = m_folder / "ref.safetensors";
        r.candidate = m_folder / "cand.safetensors";
        r.tolerance = Tolerance{};
        r.knowledge.declare = declare;
        return r;
    }

    CompareRequest withGraph(const std::string& declare = "") const {
        CompareRequest r = asked(declare);
        r.knowledge.graph = m_folder / "graph.json";
        r.knowledge.inputs = m_folder / "inputs.safetensors";
        return r;
    }

    static std::shared_ptr<const Comparison> compared(const CompareRequest& r) {
        auto result = compareDumps(session(), r);
        EXPECT_TRUE(result.ok()) << result.error().text();
        return result ? (*result)->comparison : std::make_shared<const Comparison>();
    }

    /// The graph as any backend's: without what divdet did.
    void forgetWhoMadeIt() {
        auto g = *block::readGraph(m_folder / "graph.json");
        g.made.reset();
        ASSERT_TRUE(block::writeGraph(g, m_folder / "graph.json").ok());
    }

    ScratchFolder m_folder;
};

inline std::string firstBadTap(const Comparison& c) {
    return c.firstBad ? c.pairs[*c.firstBad].name : "-";
}

inline const TapPair* find(const Comparison& c, const std::string& name) {
    for (const TapPair& p : c.pairs)
        if (p.name == name) return &p;
    return nullptr;
}

inline const Finding* finding(const TapPair& p, std::string_view id) {
    for (const Finding& f : p.findings)
        if (f.id == id) return &f;
    return nullptr;
}

inline std::string classes(const Comparison& c) {
    std::string out;
    for (const TapPair& p : c.pairs)
        out += p.name + " " + (p.pairClass ? std::string(toString(*p.pairClass)) : "-") + "\n";
    return out;
}

} // namespace divdet::test
