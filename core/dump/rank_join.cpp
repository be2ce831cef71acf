#include "dump/rank_join.h"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "dump/checked.h"
#include "dump/joined_dump.h"
#include "dump/text_encoding.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

using DumpPtr = std::shared_ptr<const Dump>;

bool isWordChar(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

Tensor concatenated(const std::vector<Tensor>& parts, DType dtype, const Shape& shape, std::size_t axis) {
    TensorBuilder out(dtype, shape);
    const std::size_t item = itemSize(dtype);
    std::size_t outer = 1, inner = item;
    for (std::size_t d = 0; d < shape.size(); ++d)
        (d < axis ? outer : inner) *= d == axis ? 1 : static_cast<std::size_t>(shape[d]);
    const std::size_t row = inner * static_cast<std::size_t>(shape[axis]);
    std::size_t at = 0;
    for (const Tensor& part : parts) {
        const Tensor plain = compacted(part);
        const std::size_t bytes = inner * static_cast<std::size_t>(plain.shape()[axis]);
        for (std::size_t o = 0; o < outer && bytes > 0; ++o)
            std::copy_n(plain.view().data + o * bytes, bytes, out.bytes().data() + o * row + at);
        at += bytes;
    }
    return std::move(out).finish();
}

Result<Tensor> summed(const std::vector<Tensor>& parts, DType dtype, const Shape& shape) {
    TensorBuilder out(DType::f64, shape);
    auto sums = out.as<double>();
    std::vector<double> block(4096);
    for (const Tensor& part : parts)
        for (std::size_t at = 0; at < sums.size(); at += block.size()) {
            const std::size_t n = std::min(block.size(), sums.size() - at);
            loadAsDouble(part.view(), static_cast<std::int64_t>(at), {block.data(), n});
            for (std::size_t i = 0; i < n; ++i) sums[at + i] += block[i];
        }
    return converted(std::move(out).finish(), dtype);
}

class RanksDump final : public Dump {
public:
    RanksDump(Manifest manifest, std::vector<std::vector<DumpPart>> sources, RankJoin join)
        : Dump(std::move(manifest))
        , m_sources(std::move(sources))
        , m_join(join) {}

private:
    Result<Tensor> loadStored(std::size_t index, const std::string& field) const override {
        const TapEntry& tap = taps()[index];
        std::vector<Tensor> parts;
        for (const DumpPart& from : m_sources[index]) {
            auto part = storedOf(*from.dump, from.tap, field);
            if (!part) return part;
            if (part->shape() != from.dump->taps()[from.tap].shape || part->dtype() != tap.dtype)
                return Error{ErrorCode::mismatch, "a field has another shape than its tap", path().string(),
                             ""};
            parts.push_back(std::move(*part));
        }
        if (m_join.kind == RankJoin::Kind::sum) return summed(parts, tap.dtype, tap.shape);
        const int axis = m_join.axis < 0 ? m_join.axis + static_cast<int>(tap.shape.size()) : m_join.axis;
        return concatenated(parts, tap.dtype, tap.shape, static_cast<std::size_t>(axis));
    }
    std::vector<std::vector<DumpPart>> m_sources; ///< per tap, one of each rank
    RankJoin m_join;
};

/// Joined dtype and shape, or why not.
Status describeJoin(TapEntry& tap, const std::vector<DumpPart>& parts, const RankJoin& join,
                    const std::string& path) {
    const auto fail = [&](const std::string& what, const char* hint) {
        return Error{ErrorCode::mismatch, what, path + ": " + tap.name, hint};
    };
    tap.shape = parts[0].dump->taps()[parts[0].tap].shape;
    const auto rank = static_cast<int>(tap.shape.size());
    const bool concat = join.kind == RankJoin::Kind::concat;
    const int axis = join.axis < 0 ? join.axis + rank : join.axis;
    if (concat && (axis < 0 || axis >= rank))
        return fail(fmt::format("{} has no axis {}", toString(tap.shape), join.axis), "choose another axis");
    if (kind(tap.dtype) == DTypeKind::opaque || (!concat && kind(tap.dtype) != DTypeKind::floating))
        return fail(fmt::format("{} is not joined in this way", name(tap.dtype)), "only numbers are");
    const auto along = static_cast<std::size_t>(std::max(axis, 0));
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const TapEntry& part = parts[i].dump->taps()[parts[i].tap];
        if (part.error) return *part.error;
        Shape expected = tap.shape;
        if (concat && part.shape.size() == expected.size()) expected[along] = part.shape[along];
        if (part.dtype != tap.dtype || part.shape != expected)
            return fail(fmt::format("the ranks hold {} and {}", toString(tap.shape), toString(part.shape)),
                        "--ranks replicas compares them one by one");
        if (concat && i > 0 && __builtin_add_overflow(tap.shape[along], part.shape[along], &tap.shape[along]))
            return fail("the joined shape is beyond 63 bits", "");
    }
    if (!byteCount(tap.shape, itemSize(tap.dtype))) return fail("the joined shape is beyond 63 bits", "");
    return Done{};
}

DumpPtr listed(Manifest manifest, const std::vector<RankPart>& parts, bool chosen) {
    std::vector<DumpPart> from;
    for (const RankPart& part : parts) {
        const std::string prefix = fmt::format("rank{}/", part.rank);
        manifest.ranks.push_back(prefix);
        for (std::size_t i = 0; i < part.dump->taps().size(); ++i) {
            TapEntry tap = part.dump->taps()[i];
            tap.name = prefix + tap.name;
            manifest.taps.push_back(std::move(tap));
            from.push_back({part.dump, i});
        }
    }
    if (!chosen)
        manifest.cautions.push_back({"ranks",
                                     fmt::format("a folder of {} ranks, listed one by one; --ranks "
                                                 "concat:AXIS, sum or replicas joins them",
                                                 parts.size()),
                                     ""});
    return std::make_shared<JoinedDump>(std::move(manifest), std::move(from));
}

} // namespace

std::optional<RankJoin> parseRankJoin(const std::string& text) {
    if (text == "sum") return RankJoin{RankJoin::Kind::sum, 0};
    if (text == "replicas") return RankJoin{RankJoin::Kind::replicas, 0};
    RankJoin join{RankJoin::Kind::concat, 0};
    if (!text.starts_with("concat:")) return std::nullopt;
    const auto r = std::from_chars(text.data() + 7, text.data() + text.size(), join.axis);
    if (r.ec != std::errc() || r.ptr != text.data() + text.size() || join.axis < -64 || join.axis > 64)
        return std::nullopt;
    return join;
}

std::string toString(const RankJoin& join) {
    switch (join.kind) {
    case RankJoin::Kind::concat:
        return fmt::format("concat:{}", join.axis);
    case RankJoin::Kind::sum:
        return "sum";
    case RankJoin::Kind::replicas:
        return "replicas";
    case RankJoin::Kind::none:
        break;
    }
    return "";
}

std::optional<RankedName> rankedName(const std::string& name) {
    constexpr std::string_view word = "rank";
    for (std::size_t at = name.find(word); at != std::string::npos; at = name.find(word, at + 1)) {
        if (at > 0 && isWordChar(name[at - 1])) continue;
        std::size_t first = at + word.size();
        if (first < name.size() && (name[first] == '_' || name[first] == '-')) ++first;
        RankedName out;
        const auto r = std::from_chars(name.data() + first, name.data() + name.size(), out.rank);
        const auto end = static_cast<std::size_t>(r.ptr - name.data());
        if (r.ec != std::errc() || end - first > 6 || (end < name.size() && isWordChar(name[end]))) continue;
        std::string before = name.substr(0, at), after = name.substr(end);
        if (!before.empty() && !after.empty())
            before.pop_back(); // one separator stays between the two
        else if (!before.empty())
            before.pop_back();
        else if (!after.empty())
            after.erase(0, 1);
        out.rest = before + after;
        return out;
    }
    return std::nullopt;
}

DumpPtr joinRanks(const std::filesystem::path& folder, std::vector<RankPart> parts, const RankJoin& join) {
    Manifest manifest{"folder", folder, {}, {}, {}, std::nullopt};
    for (const RankPart& part : parts)
        for (Caution c : part.dump->manifest().cautions) {
            if (!c.tap.empty()) c.tap = fmt::format("rank{}/{}", part.rank, c.tap);
            manifest.cautions.push_back(std::move(c));
        }
    if (join.kind == RankJoin::Kind::none || join.kind == RankJoin::Kind::replicas)
        return listed(std::move(manifest), parts, join.kind == RankJoin::Kind::replicas);
    std::vector<std::vector<DumpPart>> sources;
    std::set<std::string> seen;
    for (const RankPart& from : parts)
        for (const TapEntry& entry : from.dump->taps()) {
            if (!seen.insert(entry.name).second) continue;
            TapEntry tap = entry;
            std::vector<DumpPart> all;
            std::string lacking;
            for (const RankPart& part : parts) {
                const auto at = part.dump->find(entry.name);
                if (at)
                    all.push_back({part.dump, *at});
                else
                    lacking += fmt::format("{}{}", lacking.empty() ? "" : ", ", part.rank);
            }
            if (!lacking.empty())
                tap.error =
                    Error{ErrorCode::notFound, "rank " + lacking + " has no tap " + inQuotes(tap.name),
                          folder.string(), "--ranks replicas compares the ranks one by one"};
            else if (!tap.error)
                if (auto ok = describeJoin(tap, all, join, folder.string()); !ok) tap.error = ok.error();
            tap.transform = "ranks " + toString(join);
            manifest.taps.push_back(std::move(tap));
            sources.push_back(std::move(all));
        }
    return std::make_shared<RanksDump>(std::move(manifest), std::move(sources), join);
}

DumpPtr repeatedForRanks(DumpPtr dump, const Dump& ranked) {
    Manifest manifest = dump->manifest();
    manifest.taps.clear();
    std::vector<DumpPart> parts;
    for (const std::string& prefix : ranked.manifest().ranks)
        for (std::size_t i = 0; i < dump->taps().size(); ++i) {
            TapEntry tap = dump->taps()[i];
            tap.name = prefix + tap.name;
            manifest.taps.push_back(std::move(tap));
            parts.push_back({dump, i});
        }
    return std::make_shared<JoinedDump>(std::move(manifest), std::move(parts));
}

} // namespace divdet
