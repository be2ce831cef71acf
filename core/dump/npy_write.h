#pragma once
#include <string>

#include "base/result.h"
#include "dump/write.h"

namespace divdet {

/// Magic, version and header of an npy stream, a multiple of 64 bytes. Error: void tensors.
Result<std::string> npyHeader(const Tensor& tensor);

/// Bytes of a tensor that `compacted` made contiguous.
std::span<const std::byte> bytesOf(const Tensor& compact);

/// Error (usage) when two tensors share a name.
Status checkDistinct(std::span<const NamedTensor> tensors, const std::filesystem::path& path);

} // namespace divdet
