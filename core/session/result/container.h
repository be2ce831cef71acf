#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "session/result/encode.h"

namespace divdet::result {

/// The file around the document: magic, schema, size, zlib. See result_file.h.
std::vector<std::byte> pack(const Node& document);
Result<Node> unpack(std::span<const std::byte> file, const std::string& path);
bool hasMagic(std::span<const std::byte> file);

} // namespace divdet::result
