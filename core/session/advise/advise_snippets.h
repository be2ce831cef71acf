#pragma once
#include <string>

#include "session/advise/advise.h"

namespace divdet {

/// Lines to paste into a test, for torch.testing, numpy.testing or Polygraphy; empty for another name.
std::string snippet(const Advice& advice, const std::string& tool);

} // namespace divdet
