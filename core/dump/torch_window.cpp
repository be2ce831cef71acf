#include "dump/torch_window.h"

#include <fmt/format.h>

#include "dump/checked.h"
#include "dump/limits.h"

namespace divdet {
namespace {

/// Elements from the start of the storage to behind the last one of the window.
std::optional<std::uint64_t> reach(const TorchWindow& w) {
    auto end = addFits(w.offset, 1);
    for (std::size_t d = 0; end && d < w.shape.size(); ++d) {
        if (w.strides[d] < 0) return std::nullopt;
        const auto step =
            mulFits(static_cast<std::uint64_t>(w.shape[d] - 1), static_cast<std::uint64_t>(w.strides[d]));
        end = step ? addFits(*end, *step) : std::nullopt;
    }
    return end;
}

} // namespace

std::optional<Error> checkWindow(const TorchWindow& w, std::uint64_t bytes) {
    const auto bad = [](ErrorCode code, std::string what, std::string hint) {
        return Error{code, std::move(what), "", std::move(hint), std::nullopt};
    };
    const auto size = byteCount(w.shape, w.type.item);
    if (!size) return bad(ErrorCode::unsupported, "the shape does not fit 63 bits", "");
    if (*size == 0) return std::nullopt;
    const auto elements = reach(w);
    const auto end = elements ? mulFits(*elements, w.type.item) : std::nullopt;
    if (!end || *end > bytes)
        return bad(
            ErrorCode::malformed,
            fmt::format("the tensor {} with strides {} at element {} reaches past its storage of {} bytes",
                        toString(w.shape), toString(w.strides), w.offset, bytes),
            "save the file again");
    if (*size > bytes && *size > limits::kTorchExpandedBytes)
        return bad(ErrorCode::refused,
                   fmt::format("a tensor that repeats {} bytes into {}, the limit is {}", bytes, *size,
                               limits::kTorchExpandedBytes),
                   "save it before expand()");
    return std::nullopt;
}

TensorView windowView(const TorchWindow& w, const std::byte* storage, bool swapped) {
    const std::size_t item = w.type.item;
    TensorView view{*w.type.dtype, w.shape, rowMajorStrides(w.shape, item), storage, swapped && item > 1};
    if (elementCount(w.shape).value_or(0) == 0) return view; // its offset and strides point nowhere
    view.data = storage + w.offset * item;
    for (std::size_t d = 0; d < w.shape.size(); ++d)
        if (w.shape[d] > 1) view.strides[d] = w.strides[d] * static_cast<std::int64_t>(item);
    return view;
}

} // namespace divdet
