#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dump/safetensors_header.h"
#include "tensor/dtype.h"

namespace divdet {

/// Bits of an element; nullopt for a name this program has never heard of.
std::optional<unsigned> safetensorsBits(std::string_view dtype);

/// Our type for a name of the format; nullopt for those that exist but are not compared (F4, F6_…, F8_E8M0,
/// …).
std::optional<DType> safetensorsDType(std::string_view dtype);
std::string_view safetensorsName(DType dtype); ///< empty for opaque

/// The format's law: ranges in ascending order tile the data without gap or overlap, and each is as long as
/// dtype × shape (where the dtype is known). Data that ends early is for the caller to mark, tap by tap; data
/// beyond the last range is an error. `dataBytes`: what the file really has.
Status checkSafetensorsRanges(const std::vector<SafetensorsEntry>& entries, std::uint64_t dataBytes);

} // namespace divdet
