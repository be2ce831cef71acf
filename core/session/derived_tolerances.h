#pragma once
#include <map>
#include <string>

#include "judge/derived_tolerance.h"
#include "judge/local/allowed.h"
#include "run/taps.h"

namespace divdet {

/// The tolerance of every tap that theory knows, by its name: what a run of the declared program may differ
/// from `reference` by, with probability p of exceeding it at some element. Hard bounds of judge/local cut it
/// where an op reads inputs and weights alone. Errors: those of the envelope; cancelled.
Result<std::map<std::string, DerivedTolerance>> derivedTolerances(const lower::LoweredGraph& declared,
                                                                  const std::vector<Tensor>& inputs,
                                                                  const run::Taps& reference,
                                                                  numerics::Arch arch, local::Order order,
                                                                  double p, const Progress& progress = {});

} // namespace divdet
