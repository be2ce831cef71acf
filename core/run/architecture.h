#pragma once
#include <optional>
#include <string_view>

#include "numerics/tensor_core_spec.h"

namespace divdet::run {

/// `sm_80` as the architecture whose tensor cores are modelled; nullopt for one that is not.
std::optional<numerics::Arch> parseArchitecture(std::string_view text);

} // namespace divdet::run
