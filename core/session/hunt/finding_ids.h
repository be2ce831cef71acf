#pragma once
#include <span>
#include <string>

namespace divdet {

/// Every id that a finding of the judge may have, sorted: what `--bad-when finding:ID` may name.
std::span<const std::string> findingIds();

} // namespace divdet
