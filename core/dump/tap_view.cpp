#include "dump/tap_view.h"

#include <fmt/format.h>

#include "dump/text_encoding.h"

namespace divdet {
namespace {

using DumpPtr = std::shared_ptr<const Dump>;

struct TapView {
    std::size_t tap = 0; ///< of the dump looked at
    enum class Kind { same, slice, transpose } kind = Kind::same;
    std::size_t axis = 0;
    std::int64_t first = 0;
};

class ViewDump final : public Dump {
public:
    ViewDump(Manifest manifest, DumpPtr all, std::vector<TapView> views)
        : Dump(std::move(manifest))
        , m_all(std::move(all))
        , m_views(std::move(views)) {}

private:
    Result<Tensor> loadStored(std::size_t index, const std::string& field) const override {
        const TapView& from = m_views[index];
        auto stored = storedOf(*m_all, from.tap, field);
        if (!stored || from.kind == TapView::Kind::same) return stored;
        TensorView view = stored->view();
        if (view.shape != m_all->taps()[from.tap].shape)
            return Error{ErrorCode::mismatch, "the field has another shape than its tap", path().string(),
                         ""};
        if (from.kind == TapView::Kind::transpose) {
            std::swap(view.shape[0], view.shape[1]);
            std::swap(view.strides[0], view.strides[1]);
        } else {
            view.shape = taps()[index].shape;
            if (view.elements() > 0) view.data += from.first * view.strides[from.axis];
        }
        auto owner = std::make_shared<const Tensor>(std::move(*stored));
        return Tensor(std::move(view), std::move(owner));
    }
    DumpPtr m_all;
    std::vector<TapView> m_views;
};

/// Every tap as it is but number `at`, for which `replace` gives others.
template <class F>
DumpPtr replacing(DumpPtr dump, std::size_t at, F&& replace) {
    Manifest manifest = dump->manifest();
    manifest.taps.clear();
    std::vector<TapView> views;
    for (std::size_t i = 0; i < dump->taps().size(); ++i) {
        if (i == at) {
            replace(manifest.taps, views);
            continue;
        }
        manifest.taps.push_back(dump->taps()[i]);
        views.push_back({i});
    }
    return std::make_shared<ViewDump>(std::move(manifest), std::move(dump), std::move(views));
}

Error noTap(const Dump& dump, const std::string& name) {
    return {ErrorCode::usage, "there is no tap " + inQuotes(name), dump.path().string(),
            "divdet inspect lists the taps of a file"};
}

} // namespace

std::optional<std::size_t> joinAxis(const Shape& whole, const std::vector<Shape>& parts) {
    for (std::size_t axis = 0; axis < whole.size() && !parts.empty(); ++axis) {
        std::int64_t sum = 0;
        bool fits = true;
        for (const Shape& part : parts) {
            Shape other = part;
            fits = fits && part.size() == whole.size();
            if (!fits) break;
            fits = !__builtin_add_overflow(sum, part[axis], &sum);
            other[axis] = whole[axis];
            fits = fits && other == whole;
        }
        if (fits && sum == whole[axis]) return axis;
    }
    return std::nullopt;
}

Result<DumpPtr> withSplitTap(DumpPtr dump, const std::string& name, const std::vector<Shape>& parts) {
    const auto at = dump->find(name);
    if (!at) return noTap(*dump, name);
    const TapEntry whole = dump->taps()[*at];
    if (whole.error) return *whole.error;
    const auto axis = joinAxis(whole.shape, parts);
    if (!axis) {
        std::string shapes;
        for (const Shape& p : parts) shapes += (shapes.empty() ? "" : ", ") + toString(p);
        return Error{
            ErrorCode::mismatch,
            fmt::format("the parts {} do not make up {} {}", shapes, inQuotes(name), toString(whole.shape)),
            dump->path().string(), "name the parts in the order in which they are joined"};
    }
    return replacing(dump, *at, [&](std::vector<TapEntry>& taps, std::vector<TapView>& views) {
        std::int64_t first = 0;
        for (const Shape& part : parts) {
            const std::int64_t end = first + part[*axis];
            std::string before;
            for (std::size_t d = 0; d < *axis; ++d) before += ":, ";
            TapEntry tap = whole;
            tap.name = fmt::format("{}[{}{}:{}]", name, before, first, end);
            tap.shape = part;
            tap.transform = "split";
            taps.push_back(std::move(tap));
            views.push_back({*at, TapView::Kind::slice, *axis, first});
            first = end;
        }
    });
}

Result<DumpPtr> withTransposedTap(DumpPtr dump, const std::string& name) {
    const auto at = dump->find(name);
    if (!at) return noTap(*dump, name);
    TapEntry tap = dump->taps()[*at];
    if (tap.error) return *tap.error;
    if (tap.shape.size() != 2)
        return Error{ErrorCode::mismatch,
                     fmt::format("{} has the shape {}, not two axes", inQuotes(name), toString(tap.shape)),
                     dump->path().string(), "only matrices are transposed"};
    std::swap(tap.shape[0], tap.shape[1]);
    tap.transform = "transpose";
    return replacing(dump, *at, [&](std::vector<TapEntry>& taps, std::vector<TapView>& views) {
        taps.push_back(std::move(tap));
        views.push_back({*at, TapView::Kind::transpose});
    });
}

} // namespace divdet
