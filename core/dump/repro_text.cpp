#include "dump/repro_text.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include <fmt/format.h>

#include "dump/limits.h"
#include "dump/npy_literal.h"
#include "dump/text_encoding.h"

namespace divdet {
namespace {

constexpr std::string_view kStart = "def load_args(reader";

std::string_view trimmed(std::string_view s) {
    const auto first = s.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return s.substr(first, s.find_last_not_of(" \t\r") - first + 1);
}

/// `variable = reader.what(arguments)  # comment`
struct Call {
    std::string_view variable, what, comment;
    std::vector<std::string_view> arguments;
};

/// The arguments at the outer level; false: brackets or quotes do not close.
bool splitArguments(std::string_view text, Call& call) {
    std::size_t start = 0, depth = 0;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote) {
            if (c == quote) quote = 0;
            continue;
        }
        if (c == '\'' || c == '"') quote = c;
        if (c == '(' || c == '[' || c == '{') ++depth;
        const bool closes = c == ')' || c == ']' || c == '}';
        if ((closes || c == ',') && depth == 0) {
            if (const auto argument = trimmed(text.substr(start, i - start)); !argument.empty())
                call.arguments.push_back(argument);
            start = i + 1;
        }
        if (closes && depth-- == 0) {
            const auto rest = trimmed(text.substr(i + 1));
            if (rest.starts_with('#')) call.comment = trimmed(rest.substr(1));
            return c == ')';
        }
    }
    return false;
}

std::optional<Call> callOf(std::string_view line) {
    Call call;
    line = trimmed(line);
    constexpr std::string_view reader = "reader.";
    const auto equals = line.find('=');
    if (!line.starts_with(reader) && equals != std::string_view::npos) {
        call.variable = trimmed(line.substr(0, equals));
        line = trimmed(line.substr(equals + 1));
    }
    const auto open = line.find('(');
    if (!line.starts_with(reader) || open == std::string_view::npos) return std::nullopt;
    call.what = trimmed(line.substr(reader.size(), open - reader.size()));
    if (!splitArguments(line.substr(open + 1), call)) return std::nullopt;
    return call;
}

std::optional<std::int64_t> integer(std::string_view text) {
    std::int64_t value = 0;
    const auto r = std::from_chars(text.data(), text.data() + text.size(), value);
    if (r.ec != std::errc() || r.ptr != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

std::optional<std::vector<std::int64_t>> integers(std::string_view text) {
    const auto literal = parseNpyLiteral(text, false);
    if (!literal || (literal->kind != NpyLiteral::Kind::tuple && literal->kind != NpyLiteral::Kind::list) ||
        literal->items.size() > limits::kTorchDims)
        return std::nullopt;
    std::vector<std::int64_t> out;
    for (const NpyLiteral& item : literal->items) {
        if (item.kind != NpyLiteral::Kind::integer || item.integer < 0) return std::nullopt;
        out.push_back(item.integer);
    }
    return out;
}

class Parser {
public:
    TorchRepro out;

    void line(std::string_view text, std::uint64_t offset) {
        const auto call = callOf(text);
        if (!call) return;
        if (call->what == "storage") storage(*call);
        if (call->what == "tensor") tensor(*call, offset);
        if (call->what == "symint" && !call->arguments.empty())
            out.values.emplace_back(call->comment.empty() ? "symint" : call->comment, call->arguments[0]);
    }

private:
    void storage(const Call& call) {
        ReproStorage s;
        if (!call.arguments.empty()) {
            const auto hash = parseNpyLiteral(call.arguments[0], false);
            if (hash && hash->kind == NpyLiteral::Kind::text && isStorageHash(hash->text))
                s.hash = hash->text;
        }
        if (call.arguments.size() > 1)
            s.bytes = static_cast<std::uint64_t>(integer(call.arguments[1]).value_or(0));
        m_variables[std::string(call.variable)] = out.storages.size();
        out.storages.push_back(std::move(s));
    }

    void tensor(const Call& call, std::uint64_t offset) {
        ReproTensor t;
        const std::string base =
            call.comment.empty() ? fmt::format("input{}", out.tensors.size()) : std::string(call.comment);
        t.name = base;
        for (int copy = 2; !m_names.insert(t.name).second; ++copy) t.name = fmt::format("{} #{}", base, copy);
        auto window = windowOf(call);
        if (window) {
            t.window = std::move(*window);
        } else {
            t.error = window.error();
            t.error->offset = offset;
        }
        out.tensors.push_back(std::move(t));
    }

    Result<TorchWindow> windowOf(const Call& call) const {
        const auto bad = [](std::string what) {
            return Error{ErrorCode::malformed, std::move(what), "", "let the minifier write it again",
                         std::nullopt};
        };
        if (call.arguments.size() < 2) return bad("an input of the repro lacks storage or shape");
        const auto at = m_variables.find(std::string(call.arguments[0]));
        const auto shape = integers(call.arguments[1]);
        if (at == m_variables.end())
            return bad("an input of the repro names no storage: " + inQuotes(call.arguments[0]));
        if (!shape)
            return bad("the shape of an input is no tuple of numbers: " + inQuotes(call.arguments[1]));
        TorchWindow w;
        w.storage = at->second;
        w.type = *torchScalarType("torch.float32");
        w.shape = *shape;
        std::optional<std::vector<std::int64_t>> strides;
        for (std::size_t i = 2; i < call.arguments.size(); ++i) {
            const std::string_view a = call.arguments[i];
            const auto equals = a.front() == '(' ? std::string_view::npos : a.find('=');
            const auto key = equals == std::string_view::npos ? "stride" : trimmed(a.substr(0, equals));
            const auto value = equals == std::string_view::npos ? a : trimmed(a.substr(equals + 1));
            if (key == "stride" && value != "None") {
                strides = integers(value);
                if (!strides || strides->size() != shape->size())
                    return bad("the strides of an input do not fit its shape: " + inQuotes(value));
            } else if (key == "storage_offset") {
                const auto offset = integer(value);
                if (!offset) return bad("the offset of an input is no number: " + inQuotes(value));
                w.offset = static_cast<std::uint64_t>(*offset);
            } else if (key == "dtype") {
                const auto type = torchScalarType(value);
                if (!type || !type->dtype)
                    return Error{ErrorCode::unsupported,
                                 "the type " + inQuotes(value) + " is not compared by this version", "", "",
                                 std::nullopt};
                w.type = *type;
            } else if ((key == "is_conj" || key == "is_neg") && value == "True") {
                return Error{ErrorCode::unsupported, "an input with the flag " + inQuotes(key), "", "",
                             std::nullopt};
            }
        }
        // rowMajorStrides multiplies extents; where that overflows the window is refused for its size anyway
        w.strides = strides                 ? *strides
                    : elementCount(w.shape) ? rowMajorStrides(w.shape, 1)
                                            : std::vector<std::int64_t>(w.shape.size(), 1);
        return w;
    }

    std::map<std::string, std::size_t> m_variables;
    std::set<std::string> m_names;
};

} // namespace

bool isStorageHash(std::string_view text) {
    return !text.empty() && text.size() <= 128 && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    });
}

bool looksLikeRepro(std::string_view text) {
    return text.size() <= limits::kReproBytes && text.find(kStart) != std::string_view::npos &&
           text.find('\0') == std::string_view::npos;
}

TorchRepro parseTorchRepro(std::string_view text) {
    Parser parser;
    std::size_t at = text.find(kStart);
    if (at == std::string_view::npos) return {};
    at = text.find('\n', at);
    while (at != std::string_view::npos) {
        const std::size_t start = at + 1;
        at = text.find('\n', start);
        const std::string_view line =
            text.substr(start, at == std::string_view::npos ? std::string_view::npos : at - start);
        if (!line.empty() && line[0] != ' ' && line[0] != '\t' && line[0] != '\r')
            break; // behind the function
        parser.line(line, start);
    }
    return std::move(parser.out);
}

} // namespace divdet
