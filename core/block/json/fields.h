#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/result.h"

namespace divdet::block::json {

using Json = nlohmann::ordered_json;

/// A JSON value and where it stands in its document; the getters are strict and name the place. Refers to the
/// document, which must outlive it.
class Field {
public:
    Field(const Json& value, std::string place)
        : m_value(&value)
        , m_place(std::move(place)) {}

    const Json& json() const { return *m_value; }
    const std::string& place() const { return m_place; }

    /// Error malformed at this place.
    Error wrong(std::string what, std::string hint = "") const;

    Result<std::string> text() const;   ///< not empty, at most kMaxNameLength bytes
    Result<std::int64_t> whole() const; ///< an integer of 64 bits
    Result<double> number() const;      ///< finite; integers count
    Result<bool> truth() const;
    Status object(std::initializer_list<std::string_view> keys) const; ///< an object with no other keys
    Status array() const;

    bool has(std::string_view key) const { return m_value->contains(key); }
    Result<Field> at(std::string_view key) const; ///< error when absent. Precondition: object()
    Field operator[](std::size_t index) const;    ///< Precondition: array() and index in it
    std::size_t size() const { return m_value->size(); }

private:
    const Json* m_value;
    std::string m_place;
};

/// The document of a text: at most `maxBytes`, eight levels deep, no key twice in one object.
Result<Json> parseDocument(std::string_view text, std::size_t maxBytes);

} // namespace divdet::block::json
