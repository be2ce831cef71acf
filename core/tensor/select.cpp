#include "tensor/select.h"

#include <cstring>

#include "tensor/convert.h"

namespace divdet {

Tensor selected(const TensorView& v, const TensorView& mask) {
    // Bytes are moved, not values, so every type and payload survives; compacted() has put them in order.
    const Tensor whole = compacted(Tensor(v, nullptr));
    const std::int64_t n = v.elements();
    const std::size_t item = itemSize(v.dtype);
    std::vector<double> chosen(4096);
    std::int64_t count = 0;
    const auto overBlocks = [&](auto&& f) {
        for (std::int64_t at = 0; at < n; at += 4096) {
            const auto size = static_cast<std::size_t>(std::min<std::int64_t>(4096, n - at));
            loadAsDouble(mask, at, {chosen.data(), size});
            for (std::size_t i = 0; i < size; ++i)
                if (chosen[i] != 0) f(at + static_cast<std::int64_t>(i));
        }
    };
    overBlocks([&](std::int64_t) { ++count; });
    TensorBuilder out(v.dtype, {count});
    std::byte* to = out.bytes().data();
    overBlocks([&](std::int64_t i) {
        std::memcpy(to, whole.view().data + static_cast<std::size_t>(i) * item, item);
        to += item;
    });
    return std::move(out).finish();
}

} // namespace divdet
