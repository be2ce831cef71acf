#pragma once
#include "report/json_number.h"
#include "session/repro/repro.h"
#include "session/repro/torch_bundle.h"

namespace divdet {

/// The document of `divdet minify --json`. `repro` and `run` null: nothing failed; `files` are those written.
Json toJson(const Minified& minified, const Repro* repro, const ReproRun* run,
            const std::vector<std::string>& files);

/// The document of `divdet repro --json`.
Json toJson(const Repro& repro, const ReproRun& run);

/// The same for a bundle of torch's minifier, which is read and not run.
Json toJson(const TorchBundle& bundle);

} // namespace divdet
