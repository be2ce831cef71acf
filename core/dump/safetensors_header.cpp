#include "dump/safetensors_header.h"

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include <nlohmann/json.hpp>

#include "dump/limits.h"
#include "dump/text_encoding.h"

namespace divdet {
namespace {

/// Where in the header the parser is. Everything else is a mistake, or the value of an unknown field.
enum class At {
    start,
    top,
    metadata,
    tensor,
    dtype,
    shapeField,
    shape,
    offsetsField,
    offsets,
    skipped,
    done
};

class Handler : public nlohmann::json_sax<nlohmann::json> {
public:
    SafetensorsHeader header;
    std::optional<Error> error;

    bool null() override {
        if (m_at == At::metadata && m_depth == 1) { // "__metadata__": null
            m_at = At::top;
            return true;
        }
        return other("null");
    }
    bool boolean(bool) override { return other("a truth value"); }
    bool number_integer(number_integer_t) override { return other("a negative number"); } // `-0` too
    bool number_float(number_float_t, const string_t& text) override { return other(text); }
    bool binary(binary_t&) override { return other("binary data"); }

    bool number_unsigned(number_unsigned_t value) override {
        if (m_at == At::shape) {
            if (m_entry.shape.size() == limits::kSafetensorsDims)
                return fail("a shape has too many dimensions");
            m_entry.shape.push_back(value);
            return true;
        }
        if (m_at == At::offsets) {
            if (m_offsets == 2) return fail("data_offsets has more than two numbers");
            (m_offsets++ == 0 ? m_entry.begin : m_entry.end) = value;
            return true;
        }
        return other("a number");
    }

    bool string(string_t& value) override {
        if (m_at == At::dtype) {
            m_entry.dtype = value;
            m_at = At::tensor;
            return true;
        }
        if (m_at == At::metadata && m_depth == 2) {
            const auto [at, fresh] = m_metadataAt.try_emplace(m_key, header.metadata.size());
            if (fresh)
                header.metadata.emplace_back(m_key, value);
            else
                header.metadata[at->second].second = value;
            return true;
        }
        return other("a string");
    }

    bool start_object(std::size_t) override {
        ++m_depth;
        if (m_at == At::start) return m_at = At::top, true;
        if (m_at == At::metadata && m_depth == 2) return true;
        if (m_at == At::tensor && m_depth == 2) return true;
        return open("an object");
    }

    bool key(string_t& value) override {
        if (m_at == At::top) return topKey(value);
        if (m_at == At::tensor) return fieldKey(value);
        m_key = value;
        return true;
    }

    bool end_object() override {
        --m_depth;
        if (m_at == At::skipped) return close();
        if (m_at == At::tensor) return finishTensor();
        m_at = m_at == At::metadata ? At::top : At::done;
        return true;
    }

    bool start_array(std::size_t) override {
        ++m_depth;
        if (m_at == At::shapeField) return m_at = At::shape, true;
        if (m_at == At::offsetsField) return m_at = At::offsets, true;
        return open("a list");
    }

    bool end_array() override {
        --m_depth;
        if (m_at == At::skipped) return close();
        if (m_at == At::offsets && m_offsets != 2) return fail("data_offsets has less than two numbers");
        m_at = At::tensor;
        return true;
    }

    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& e) override {
        std::string text =
            e.what(); // "[json.exception.parse_error.101] parse error at …: reason; last read: …"
        const auto reason = text.find("syntax error");
        if (reason != std::string::npos) text = text.substr(reason, text.find("; last read") - reason);
        fail("it is not JSON (" + text + ")");
        error->offset = position ? position - 1 : 0; // it counts what was read, the wrong byte included
        return false;
    }

private:
    static constexpr unsigned dtypeBit = 1, shapeBit = 2, offsetsBit = 4;

    bool fail(std::string what) {
        if (!error) {
            std::string where = m_entry.name.empty() ? std::string() : " at " + inQuotes(m_entry.name);
            error = Error{ErrorCode::malformed,
                          "the safetensors header is not valid" + where + ": " + std::move(what), "",
                          "save the file again"};
        }
        return false;
    }

    /// A value that is right only where an unknown field has it.
    bool other(std::string_view what) {
        if (m_at == At::skipped) return m_depth == m_skipFrom ? (m_at = At::tensor, true) : true;
        return fail("unexpected " + std::string(what));
    }
    bool open(std::string_view what) {
        return m_at == At::skipped ? true : fail("unexpected " + std::string(what));
    }
    bool close() {
        if (m_depth == m_skipFrom) m_at = At::tensor;
        return true;
    }

    bool topKey(const std::string& value) {
        if (value == "__metadata__") {
            if (m_metadataSeen) return fail("__metadata__ is there twice");
            m_metadataSeen = true;
            m_key.clear();
            m_at = At::metadata;
            return true;
        }
        m_entry = SafetensorsEntry{};
        m_entry.name = value;
        if (!m_names.insert(value).second) return fail("the name is there twice");
        m_seen = 0;
        m_offsets = 0;
        m_at = At::tensor;
        return true;
    }

    bool fieldKey(const std::string& value) {
        const unsigned bit = value == "dtype"          ? dtypeBit
                             : value == "shape"        ? shapeBit
                             : value == "data_offsets" ? offsetsBit
                                                       : 0u;
        if (bit == 0) {
            m_skipFrom = m_depth;
            m_at = At::skipped;
            return true;
        }
        if (m_seen & bit) return fail("the field " + value + " is there twice");
        m_seen |= bit;
        m_at = bit == dtypeBit ? At::dtype : bit == shapeBit ? At::shapeField : At::offsetsField;
        return true;
    }

    bool finishTensor() {
        if (m_seen != (dtypeBit | shapeBit | offsetsBit))
            return fail(!(m_seen & dtypeBit)   ? "dtype is missing"
                        : !(m_seen & shapeBit) ? "shape is missing"
                                               : "data_offsets is missing");
        header.entries.push_back(std::move(m_entry));
        m_entry = SafetensorsEntry{};
        m_at = At::top;
        return true;
    }

    At m_at = At::start;
    std::size_t m_depth = 0, m_skipFrom = 0, m_offsets = 0;
    unsigned m_seen = 0;
    bool m_metadataSeen = false;
    std::string m_key; ///< of a metadata pair; empty before the first
    SafetensorsEntry m_entry;
    std::unordered_set<std::string> m_names;
    std::unordered_map<std::string, std::size_t> m_metadataAt;
};

} // namespace

Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view json) {
    // Two things the JSON library bears and the format does not: a byte-order mark, and NUL as the end of
    // text.
    const auto first = json.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || json[first] != '{')
        return Error{ErrorCode::malformed, "the safetensors header is not valid: it does not start with {",
                     "", "save the file again", first == std::string_view::npos ? 0 : first};
    if (const auto nul = json.find('\0'); nul != std::string_view::npos)
        return Error{ErrorCode::malformed, "the safetensors header is not valid: it holds a NUL byte", "",
                     "save the file again", nul};
    Handler handler;
    if (nlohmann::json::sax_parse(json.begin(), json.end(), &handler) && !handler.error)
        return std::move(handler.header);
    if (handler.error) return *handler.error;
    return Error{ErrorCode::malformed, "the safetensors header is not valid", "", "save the file again"};
}

} // namespace divdet
