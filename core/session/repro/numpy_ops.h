#pragma once
#include <set>
#include <span>
#include <string>
#include <vector>

#include "block/bind.h"
#include "lower/lowered.h"

namespace divdet::numpy {

/// An expression in numpy with the functions it calls, by name (helperText).
struct Expression {
    std::string text;
    std::set<std::string> helpers;
};

/// What stands for one op's operands in the script.
struct Operands {
    std::vector<std::string> names; ///< variables
    std::vector<Shape> shapes;
};

/// A scatter-add is a product with a matrix that has a one where a row goes; that matrix. Precondition: the
/// op's operands and attributes.
std::string oneHot(const Operands& in, const block::Attributes& attributes);

/// The op in double precision. Error: unsupported for an op the script has no words for.
Result<Expression> plain(block::OpKind kind, const Operands& in, const block::Attributes& attributes);

/// The op as its slots have it. Error: unsupported.
Result<Expression> lowered(const lower::LoweredOp& op, const Operands& in);

/// The definition of a helper, and those of the helpers that it calls before it.
std::string helperText(const std::set<std::string>& names);

/// A number that Python reads as the same fp32 number.
std::string literal(float x);

} // namespace divdet::numpy
