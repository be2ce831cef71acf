#include "judge/context.h"

#include <algorithm>
#include <cctype>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/number_text.h"

namespace divdet {
namespace {

using Json = nlohmann::json;

Error wrongType(const std::string& key, const char* wanted) {
    return {ErrorCode::usage, fmt::format("'{}' of the context is {}", key, wanted), "--context",
            R"(for example --context '{"op":"matmul","K":256}')"};
}

Status readCount(const Json& value, const std::string& key, std::int64_t least,
                 std::optional<std::int64_t>& out) {
    if (!value.is_number_integer() || value.get<std::int64_t>() < least)
        return wrongType(key, least > 0 ? "no whole number of at least 1" : "no whole number of at least 0");
    out = value.get<std::int64_t>();
    return Done{};
}

Status readNumber(const Json& value, const std::string& key, std::optional<double>& out) {
    if (value.is_number()) {
        out = value.get<double>();
        return Done{};
    }
    if (value == "nan") out = std::numeric_limits<double>::quiet_NaN();
    if (value == "inf") out = std::numeric_limits<double>::infinity();
    if (value == "-inf") out = -std::numeric_limits<double>::infinity();
    if (!out) return wrongType(key, "no number, and none of \"nan\", \"inf\", \"-inf\"");
    return Done{};
}

Status readNames(const Json& value, const std::string& key, std::vector<std::string>& out) {
    if (!value.is_array()) return wrongType(key, "no list of names");
    for (const auto& name : value) {
        if (!name.is_string()) return wrongType(key, "no list of names");
        out.push_back(name.get<std::string>());
    }
    return Done{};
}

Status readMember(const std::string& key, const Json& value, OperatorContext& out) {
    if (key == "op") {
        if (!value.is_string()) return wrongType(key, "no text");
        out.op = value.get<std::string>();
        for (char& c : out.op) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        return Done{};
    }
    if (key == "K" || key == "k") return readCount(value, key, 1, out.k);
    if (key == "window") return readCount(value, key, 1, out.window);
    if (key == "token_axis") return readCount(value, key, 0, out.tokenAxis);
    if (key == "eps") return readNumber(value, key, out.eps);
    if (key == "factor") return readNumber(value, key, out.factor);
    if (key == "poison") return readNumber(value, key, out.poison);
    if (key == "operands") return readNames(value, key, out.operands);
    out.unknown.push_back(key);
    return Done{};
}

bool fitsProduct(const Shape& a, const Shape& b, const Shape& result) {
    return a.size() == result.size() && a.size() >= 2 && b.size() == 2 &&
           std::equal(a.begin(), a.end() - 1, result.begin()) && a.back() == b[0] && b[1] == result.back();
}

bool real(const Tensor& t) {
    return kind(t.dtype()) != DTypeKind::complex && kind(t.dtype()) != DTypeKind::opaque;
}

} // namespace

bool OperatorContext::opIs(std::initializer_list<std::string_view> kinds) const {
    return std::any_of(kinds.begin(), kinds.end(), [&](auto prefix) { return op.starts_with(prefix); });
}

Result<OperatorContext> parseOperatorContext(const std::string& text) {
    OperatorContext out;
    if (text.empty()) return out;
    Json json;
    try {
        json = Json::parse(text);
    } catch (const Json::parse_error& e) {
        return Error{ErrorCode::malformed, "the context is no JSON", "--context",
                     R"(for example --context '{"op":"matmul","K":256}')",
                     static_cast<std::uint64_t>(e.byte ? e.byte - 1 : 0)};
    }
    if (!json.is_object())
        return Error{ErrorCode::usage, "the context is no JSON object", "--context",
                     R"(for example --context '{"op":"matmul","K":256}')"};
    for (const auto& [key, value] : json.items())
        if (auto s = readMember(key, value, out); !s) return s.error();
    return out;
}

std::string JudgeContext::axisName(std::size_t axis, std::size_t rank) const {
    if (axes.size() == rank) return fmt::format("axis {} ({})", axis, axes[axis]);
    return fmt::format("axis {}", axis);
}

std::optional<std::pair<TensorView, TensorView>> JudgeContext::product(const Shape& result) const {
    const auto named = [&](const std::string& name) -> const Tensor* {
        for (const auto& [n, t] : inputs)
            if (n == name) return &t;
        return nullptr;
    };
    if (op.operands.size() == 2) {
        const Tensor *a = named(op.operands[0]), *b = named(op.operands[1]);
        if (a && b && real(*a) && real(*b) && fitsProduct(a->shape(), b->shape(), result))
            return std::pair{a->view(), b->view()};
        return {};
    }
    for (const auto& [an, a] : inputs)
        for (const auto& [bn, b] : inputs)
            if (an != bn && real(a) && real(b) && fitsProduct(a.shape(), b.shape(), result))
                return std::pair{a.view(), b.view()};
    return {};
}

} // namespace divdet
