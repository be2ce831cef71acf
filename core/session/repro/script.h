#pragma once
#include <string>

#include "session/repro/repro.h"

namespace divdet {

/// `repro.py`: a program for numpy alone that computes the reference and what the passes make of it, and ends
/// in an assertion that names them. Each line that stands for a pass ends in a comment `# guilty: PASS`; with
/// the reference in its place the assertion holds. `inputs` empty: the numbers stand in the text; else the
/// npz beside it. The faulty side is the pass's definition written in numpy, not a replay of bits.
///
/// The tolerance is that of the repro where `run` is outside it, else half of the error that `run` shows.
/// Error: unsupported, naming the op or what a pass does to it that the script has no words for.
Result<std::string> reproScript(const Repro& repro, const ReproRun& run, const std::string& inputs = "");

} // namespace divdet
