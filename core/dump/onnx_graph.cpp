#include "dump/onnx_graph.h"

#include <fmt/format.h>

#include "base/sigbus_guard.h"
#include "dump/limits.h"
#include "dump/text_encoding.h"

namespace divdet {
namespace {

constexpr std::size_t kNameBytes = 200; ///< of a node's name in a prefix

class GraphWalk {
public:
    explicit GraphWalk(const FileBytes& file)
        : m_file(file) {}

    std::vector<OnnxInitialiser> found;

    Status model() {
        std::optional<ByteRange> graph;
        auto ok = fields({0, m_file.size()}, [&](const WireField& f) -> Status {
            if (f.is(7, WireType::bytes)) graph = f.payload;
            return Done{};
        });
        if (!ok || !graph) return ok;
        return walkGraph(*graph, "", 1);
    }

private:
    /// Each step reads mapped bytes under a guard; what `take` does may allocate and so stands outside.
    template <class F>
    Status fields(ByteRange message, F&& take) {
        ProtobufWalker walker(m_file.bytes().data(), message);
        WireField f;
        while (true) {
            bool more = false;
            if (!guardMappedRead([&] { more = walker.next(f); }))
                return Error{ErrorCode::truncated, "the file became shorter while it was read",
                             m_file.pathText(), "compare again when it is written completely"};
            if (!more) break;
            if (auto ok = take(f); !ok) return ok;
        }
        if (!walker.fault()) return Done{};
        return Error{walker.truncated() ? ErrorCode::truncated : ErrorCode::malformed,
                     std::string("this is no whole ONNX model: ") + walker.fault(), m_file.pathText(),
                     "copy or save the file again", walker.faultOffset()};
    }

    std::string text(ByteRange range) const {
        const std::string out(reinterpret_cast<const char*>(m_file.bytes().data()) + range.offset,
                              static_cast<std::size_t>(std::min<std::uint64_t>(range.size, kNameBytes)));
        return isUtf8(out) ? out : latin1ToUtf8(out);
    }

    Status add(ByteRange message, const std::string& prefix, bool sparse) {
        if (found.size() == limits::kOnnxTensors)
            return Error{ErrorCode::refused, fmt::format("more than {} initialisers", limits::kOnnxTensors),
                         m_file.pathText(), "", message.offset};
        m_prefixBytes += prefix.size(); // one long prefix stands before each of its initialisers
        if (m_prefixBytes > limits::kOnnxPrefixBytes)
            return Error{ErrorCode::refused,
                         fmt::format("the names of nodes before initialisers take more than {} bytes",
                                     limits::kOnnxPrefixBytes),
                         m_file.pathText(), "", message.offset};
        found.push_back({message, prefix, sparse});
        return Done{};
    }

    Status deeper(ByteRange message, int depth) const {
        if (depth < limits::kProtobufDepth) return Done{};
        return Error{ErrorCode::refused,
                     fmt::format("messages lie more than {} deep in one another", limits::kProtobufDepth),
                     m_file.pathText(), "protobuf has the same limit", message.offset};
    }

    Status walkGraph(ByteRange graph, const std::string& prefix, int depth) {
        if (auto ok = deeper(graph, depth); !ok) return ok;
        std::size_t node = 0;
        return fields(graph, [&](const WireField& f) -> Status {
            if (f.is(1, WireType::bytes)) return walkNode(f.payload, prefix, node++, depth + 1);
            if (f.is(5, WireType::bytes)) return add(f.payload, prefix, false);
            if (f.is(15, WireType::bytes)) return add(f.payload, prefix, true);
            return Done{};
        });
    }

    /// Attributes may stand before the name that the prefix is made of: two walks, the second only where
    /// there are subgraphs.
    Status walkNode(ByteRange node, const std::string& prefix, std::size_t number, int depth) {
        if (auto ok = deeper(node, depth); !ok) return ok;
        std::string name, op;
        std::vector<Subgraph> subgraphs;
        auto ok = fields(node, [&](const WireField& f) -> Status {
            if (f.is(3, WireType::bytes)) name = text(f.payload);
            if (f.is(4, WireType::bytes)) op = text(f.payload);
            if (f.is(5, WireType::bytes)) return attribute(f.payload, depth + 1, subgraphs);
            return Done{};
        });
        if (!ok) return ok;
        if (name.empty()) name = fmt::format("{}#{}", op, number);
        for (const Subgraph& sub : subgraphs)
            if (auto inner = walkGraph(sub.graph, prefix + name + "/" + sub.attribute + "/", depth + 2);
                !inner)
                return inner;
        return Done{};
    }

    struct Subgraph {
        std::string attribute;
        ByteRange graph;
    };

    Status attribute(ByteRange message, int depth, std::vector<Subgraph>& subgraphs) {
        if (auto ok = deeper(message, depth); !ok) return ok;
        std::string name;
        std::vector<ByteRange> graphs;
        auto ok = fields(message, [&](const WireField& f) -> Status {
            if (f.is(1, WireType::bytes)) name = text(f.payload);
            if (f.is(6, WireType::bytes) || f.is(11, WireType::bytes)) graphs.push_back(f.payload);
            return Done{};
        });
        if (!ok) return ok;
        for (std::size_t i = 0; i < graphs.size(); ++i)
            subgraphs.push_back({graphs.size() > 1 ? fmt::format("{}[{}]", name, i) : name, graphs[i]});
        return Done{};
    }

    const FileBytes& m_file;
    std::size_t m_prefixBytes = 0;
};

} // namespace

Result<std::vector<OnnxInitialiser>> onnxInitialisers(const FileBytes& file) {
    GraphWalk walk(file);
    if (auto ok = walk.model(); !ok) return ok.error();
    return std::move(walk.found);
}

} // namespace divdet
