#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <variant>

namespace divdet::block {

using AttributeValue = std::variant<std::int64_t, double, std::string>;

/// Named constants of an op; ordered, so that two equal sets print alike.
using Attributes = std::map<std::string, AttributeValue>;

/// The attribute as double, or `fallback` when it is absent or a string.
double numberOr(const Attributes& attributes, const std::string& name, double fallback);

/// The attribute as integer, or `fallback` when it is absent or no integer.
std::int64_t integerOr(const Attributes& attributes, const std::string& name, std::int64_t fallback);

/// `axis=1,eps=1e-05`, every double with all its digits: equal text means equal attributes.
std::string toString(const Attributes& attributes);

} // namespace divdet::block
