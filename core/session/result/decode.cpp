#include "session/result/decode.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace divdet::result {
namespace {

constexpr std::size_t kMostPoints = 1u << 18; ///< of a frontier; a scan keeps fewer

/// The enumerator of that name among the first `count`.
template <class E>
bool byName(const std::string& text, int count, E& out) {
    for (int i = 0; i < count; ++i)
        if (toString(static_cast<E>(i)) == text) {
            out = static_cast<E>(i);
            return true;
        }
    return false;
}

} // namespace

bool Decoder::array(const Node& n) {
    if (failed()) return false;
    if (!n.is_array()) fail("not a list");
    return n.is_array();
}

void Decoder::read(const Node& n, bool& v) {
    if (!n.is_boolean()) return fail("neither true nor false");
    v = n.get<bool>();
}

void Decoder::read(const Node& n, std::int64_t& v) {
    if (!n.is_number_integer()) return fail("not a whole number");
    if (n.is_number_unsigned() && n.get<std::uint64_t>() > INT64_MAX) return fail("too large");
    v = n.get<std::int64_t>();
}

void Decoder::read(const Node& n, std::uint64_t& v) {
    if (!n.is_number_unsigned()) return fail("not a whole number");
    v = n.get<std::uint64_t>();
}

void Decoder::read(const Node& n, int& v) {
    std::int64_t wide = 0;
    read(n, wide);
    if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max())
        return fail("too large");
    v = static_cast<int>(wide);
}

void Decoder::read(const Node& n, double& v) {
    if (!n.is_number_float()) return fail("not a number");
    v = n.get<double>();
}

void Decoder::read(const Node& n, std::string& v) {
    if (!n.is_string()) return fail("not a text");
    v = n.get<std::string>();
}

void Decoder::read(const Node& n, std::filesystem::path& v) {
    std::string text;
    read(n, text);
    if (text.find('\0') != std::string::npos) return fail("a path holds a NUL byte");
    v = text;
}

template <class T>
std::vector<T> Decoder::numbers(const Node& n) {
    if (!n.is_binary() || n.get_binary().size() % sizeof(T) != 0) {
        fail("not a row of numbers");
        return {};
    }
    std::vector<T> out(n.get_binary().size() / sizeof(T));
    if (!out.empty()) std::memcpy(out.data(), n.get_binary().data(), out.size() * sizeof(T));
    return out;
}

void Decoder::read(const Node& n, std::vector<float>& v) {
    v = numbers<float>(n);
}

std::vector<FrontierPoint> Decoder::points(const Node& n, const char* key) {
    const auto it = n.find(key);
    const std::vector<double> flat = it == n.end() ? std::vector<double>{} : numbers<double>(*it);
    if (it == n.end() || flat.size() % 2 != 0 || flat.size() / 2 > kMostPoints) fail("not a list of points");
    if (failed()) return {};
    std::vector<FrontierPoint> out;
    for (std::size_t i = 0; i < flat.size(); i += 2) {
        out.push_back({flat[i], flat[i + 1]});
        const auto& p = out.back();
        if (!std::isfinite(p.magnitude) || !std::isfinite(p.error) || p.magnitude < 0 || !(p.error > 0))
            fail("a point that no element has");
    }
    return out;
}

void Decoder::read(const Node& n, Frontier& v) {
    if (!n.is_object()) return fail("not an object");
    auto hull = points(n, "hull"), stairs = points(n, "stairs");
    bool capped = false;
    readField(n, "capped", capped);
    for (std::size_t i = 1; i < hull.size(); ++i)
        if (hull[i].magnitude <= hull[i - 1].magnitude || hull[i].error <= hull[i - 1].error)
            fail("points out of order");
    for (std::size_t i = 1; i < stairs.size(); ++i)
        if (stairs[i].error > stairs[i - 1].error) fail("points out of order");
    if (hull.empty() != stairs.empty()) fail("points of one rule only");
    if (!failed()) v = Frontier::restored(std::move(hull), std::move(stairs), capped);
}

void Decoder::read(const Node& n, ErrorHistogram& v) {
    const auto flat = numbers<std::int64_t>(n);
    if (flat.size() % 3 != 0) return fail("not a list of bins");
    for (std::size_t i = 0; i < flat.size(); i += 3) {
        const auto column = flat[i], row = flat[i + 1];
        if (column < 0 || column >= ErrorHistogram::kColumns || row < 0 || row >= ErrorHistogram::kRows ||
            flat[i + 2] <= 0)
            return fail("a bin outside the histogram");
        v.set(static_cast<int>(column), static_cast<int>(row), flat[i + 2]);
    }
}

void Decoder::read(const Node& n, DType& v) {
    std::string text;
    read(n, text);
    for (int i = 0; i < kDTypeCount; ++i)
        if (name(static_cast<DType>(i)) == text) {
            v = static_cast<DType>(i);
            return;
        }
    fail("no dtype");
}

void Decoder::read(const Node& n, PairedBy& v) {
    std::string text;
    read(n, text);
    if (!byName(text, static_cast<int>(PairedBy::user) + 1, v)) fail("no way of pairing");
}

void Decoder::read(const Node& n, Verdict& v) {
    std::string text;
    read(n, text);
    if (!byName(text, static_cast<int>(Verdict::outside) + 1, v)) fail("no verdict");
}

void Decoder::read(const Node& n, Rule& v) {
    std::string text;
    read(n, text);
    if (const auto rule = parseRule(text))
        v = *rule;
    else
        fail("no rule that this version knows");
}

void Decoder::read(const Node& n, ErrorCode& v) {
    std::string text;
    read(n, text);
    if (!byName(text, static_cast<int>(ErrorCode::internal) + 1, v)) fail("no error code");
}

void Decoder::read(const Node& n, RankJoin& v) {
    std::string text;
    read(n, text);
    if (failed() || text.empty()) return;
    const auto join = parseRankJoin(text);
    if (!join) return fail("this joins no ranks");
    v = *join;
}

void Decoder::read(const Node& n, JudgeSelection::Kind& v) {
    int i = 0;
    read(n, i);
    if (i < 0 || i > static_cast<int>(JudgeSelection::Kind::named)) return fail("no selection");
    v = static_cast<JudgeSelection::Kind>(i);
}

void Decoder::read(const Node& n, FailOn& v) {
    std::string text;
    read(n, text);
    if (failed()) return;
    if (!byName(text, static_cast<int>(FailOn::bug) + 1, v)) fail("nothing to fail on");
}

void Decoder::read(const Node& n, FindingClass& v) {
    std::string text;
    read(n, text);
    if (!byName(text, static_cast<int>(FindingClass::bug) + 1, v)) fail("no kind of finding");
}

void Decoder::read(const Node& n, PairClass& v) {
    std::string text;
    read(n, text);
    if (!byName(text, static_cast<int>(PairClass::bug) + 1, v)) fail("no class");
}

void Decoder::read(const Node& n, Evidence& v) {
    const auto take = [&](auto value) {
        read(n, value);
        v = std::move(value);
    };
    if (n.is_number_float())
        take(double{});
    else if (n.is_number_integer())
        take(std::int64_t{});
    else if (n.is_string())
        take(std::string{});
    else
        take(std::vector<std::int64_t>{});
}

} // namespace divdet::result
