#pragma once
#include <cstddef>
#include <span>

#include "judge/local/allowed.h"
#include "judge/local/operands.h"
#include "lower/slots.h"
#include "numerics/tensor_core_spec.h"

namespace divdet::local {

/// How a sum of products is rounded on its way.
struct SumModel {
    lower::SumOrder order = lower::SumOrder::published; ///< published: one chain over increasing k
    std::size_t splits = 1;                             ///< splitK and atomics
    double partialUnit = kU;                            ///< unit roundoff that chunks are combined in
    bool partialsRounded = false; ///< chunks are rounded to that dtype before they are added
    numerics::TcSpec spec{};      ///< exists(): the tensor core's steps in place of fp32 fmas
    bool exact = false;           ///< integers: nothing is rounded
    Order known = Order::known;
};
SumModel sumModel(const lower::Slots& slots, const numerics::TcSpec& spec, bool integers, Order known);

/// Every element of the product a · b from `start` (row-major [m, n], or null for +0): its value in double
/// and `slack`, what the roundings on the way may add up to. slack is a running-error bound over the partial
/// sums of the declared order, or with Order::any the bound that every order keeps; both hold to first order,
/// with 2 % to spare. The scales of the product are not applied. Error: cancelled.
Status orderedProduct(const SumModel& model, const Product& product, const double* start,
                      std::span<double> value, std::span<double> slack, const Progress& progress = {});

} // namespace divdet::local
