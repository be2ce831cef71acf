#pragma once
#include <memory>
#include <string>

#include "base/result.h"
#include "dump/dump.h"

namespace divdet {

/// The taps of one runner of a file that holds several (Polygraphy), under their own names. `runner`: its
/// name or a part of it that only one has. Errors: usage, with the runners that are there.
Result<std::shared_ptr<const Dump>> withRunner(std::shared_ptr<const Dump> dump, const std::string& runner);

/// The error of comparing a file with several runners without a choice; `option` names the way out.
Error severalRunners(const Dump& dump, const std::string& option);

} // namespace divdet
