#pragma once
#include <QString>

#include "lower/pass_choice.h"

namespace divdet {

struct PassStyle;

bool isBug(const lower::PassChoice& choice);
QString passId(const lower::PassChoice& choice);
/// As in the tables of styles: `wrong-accumulator` + `bf16`.
PassStyle styleOf(const lower::PassChoice& choice);
/// A variant as people say it: "split-K 8", "per token", "group 32"; others as they are written.
QString variantText(const QString& variant);
/// The label of a curve: "tf32"; variants only where they tell two bugs apart: "bf16 accumulator (bug)".
QString curveText(const lower::PassChoice& choice);

} // namespace divdet
