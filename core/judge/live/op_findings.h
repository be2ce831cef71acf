#pragma once
#include "compare/finding.h"
#include "judge/live/missing_terms.h"
#include "judge/live/wrong_tiles.h"
#include "judge/local/residual.h"
#include "lower/pass_choice.h"

/// What is said of an op that was judged on the inputs that it read; each with its evidence.
namespace divdet {

Finding beyondBound(const local::OpResidual& r, const lower::LoweredOp& op, const Shape& shape);
/// Within what every order of the sum may give, and beyond what random roundings do; `repeats`: the roundings
/// may repeat, so that it is unclear.
Finding beyondLikely(const local::OpResidual& r, const lower::LoweredOp& op, const Shape& shape,
                     bool repeats);
/// The declared arithmetic allows the error, because it subtracts nearly equal numbers.
Finding noCorrectBits(const local::OpResidual& r, const lower::LoweredOp& op);
Finding suspectRounding(const local::OpResidual& r);
Finding withinBound(const local::OpResidual& r, const lower::LoweredOp& op);
Finding droppedTerms(const MissingTerms& m);
Finding inTiles(const WrongTiles& w);
Finding sameBitsAs(const lower::PassChoice& choice);

} // namespace divdet
