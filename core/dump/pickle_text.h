#pragma once
#include <string>

#include "dump/pickle_value.h"

namespace divdet {

/// The value about as Python prints it (True, None, (2, 3), torch.Size([2, 3])), cut after `most` bytes.
/// `quoted`: texts stand in quotes, as inside a container.
std::string pickleText(const Pickle& pickle, std::uint32_t value, std::size_t most, bool quoted);

} // namespace divdet
