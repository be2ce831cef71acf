#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "dump/dump.h"

namespace divdet {

/// The axis along which `parts`, in this order, make up `whole`: their extents add up there and agree
/// elsewhere. nullopt when there is none.
std::optional<std::size_t> joinAxis(const Shape& whole, const std::vector<Shape>& parts);

/// `dump` with the tap `name` replaced by windows on it, one per part and named like `qkv[0:64]` (`qkv[:,
/// 0:64]` along axis 1). Nothing is copied. Errors: notFound; mismatch when the parts do not make up the tap.
Result<std::shared_ptr<const Dump>> withSplitTap(std::shared_ptr<const Dump> dump, const std::string& name,
                                                 const std::vector<Shape>& parts);

/// `dump` with the two axes of the tap `name` swapped. Errors: notFound; mismatch when it has not two axes.
Result<std::shared_ptr<const Dump>> withTransposedTap(std::shared_ptr<const Dump> dump,
                                                      const std::string& name);

} // namespace divdet
