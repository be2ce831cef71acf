#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "block/graph.h"

namespace divdet {

/// Gives inputs and weights of a block the tensors of that name in a dump. Whole numbers and floats of at
/// most 32 bits are taken when fp32 holds them exactly. Returns the names that were filled. Errors: those of
/// openDump; refused, before any is loaded, for tensors that together need more than block::maxRunBytes();
/// mismatch for a name the block has not, a dtype that does not fit or values fp32 cannot hold;
/// shapes are checked when the block is bound.
Result<std::vector<std::string>> fillFromFile(block::Graph& graph, const std::filesystem::path& file);

} // namespace divdet
