#include <algorithm>

#include <fmt/format.h>

#include "base/sigbus_guard.h"
#include "dump/json_payload.h"
#include "dump/limits.h"
#include "dump/npy_layout.h"
#include "dump/open.h"
#include "dump/polygraphy_layout.h"
#include "dump/reader.h"
#include "dump/text_encoding.h"

namespace divdet {

Reader npzReader();

namespace {

struct PayloadTap {
    JsonNode payload;
    bool torch = false;
};

Error named(Error e, const FileBytes& file, const std::string& tap) {
    e.path = file.pathText() + ": " + tap.substr(0, 200);
    return e;
}

bool startsWith(std::span<const std::byte> bytes, std::string_view magic) {
    return bytes.size() >= magic.size() &&
           std::equal(magic.begin(), magic.end(), bytes.begin(),
                      [](char c, std::byte b) { return static_cast<std::byte>(c) == b; });
}

/// A file inside the file: an npz (its first member counts) or what torch.save wrote. Nothing else is opened,
/// so that result files cannot lie in one another.
Result<std::shared_ptr<const Dump>> openInner(const FileBytes& file, const PayloadTap& tap) {
    auto bytes = JsonPayload(file, tap.payload).bytes();
    if (!bytes) return bytes.error();
    const bool zip = startsWith(*bytes, "PK"), pickle = startsWith(*bytes, "\x80");
    const auto at = tap.payload.text.offset;
    if (!zip && !(pickle && tap.torch))
        return Error{ErrorCode::malformed,
                     tap.torch ? "the tensor is not what torch.save writes"
                               : "the array is no npy and no npz",
                     file.pathText(), "save the results again", at};
    auto inner = FileBytes::of(file.path(), std::move(*bytes));
    auto dump = tap.torch ? openDump(std::move(inner)) : npzReader().open(std::move(inner));
    if (!dump || !(*dump)->taps().empty()) return dump;
    return Error{ErrorCode::malformed, "the archive holds no array", file.pathText(),
                 "save the results again", at};
}

class PolygraphyDump final : public Dump {
public:
    PolygraphyDump(Manifest manifest, std::shared_ptr<const FileBytes> file, std::vector<PayloadTap> taps)
        : Dump(std::move(manifest))
        , m_file(std::move(file))
        , m_taps(std::move(taps)) {}

private:
    Result<Tensor> loadStored(std::size_t index, const std::string& field) const override {
        auto tensor = decoded(m_taps[index], field);
        if (tensor) return tensor;
        return named(tensor.error(), *m_file, taps()[index].name);
    }

    Result<Tensor> decoded(const PayloadTap& tap, const std::string& field) const {
        const JsonPayload payload(*m_file, tap.payload);
        const auto start = payload.bytes(8);
        if (!start) return start.error();
        if (tap.torch || !startsLikeNpy(*start)) {
            auto inner = openInner(*m_file, tap);
            if (!inner) return inner.error();
            if (const auto& error = (*inner)->taps()[0].error) return *error;
            return storedOf(**inner, 0, field);
        }
        auto bytes = payload.bytes();
        if (!bytes) return bytes.error();
        auto layout = readNpyLayout(*bytes, bytes->size());
        if (!layout) return layout.error();
        auto owner = std::make_shared<const std::vector<std::byte>>(std::move(*bytes));
        const std::byte* stream = owner->data();
        return npyTensor(*layout, stream, std::move(owner), field);
    }

    std::shared_ptr<const FileBytes> m_file;
    std::vector<PayloadTap> m_taps;
};

/// Decodes no more of the payload than the npy header.
Status describe(const FileBytes& file, const PayloadTap& from, TapEntry& tap) {
    const JsonPayload payload(file, from.payload);
    const auto total = payload.size();
    if (!total) return total.error();
    auto head = payload.bytes(4096);
    if (!head) return head.error();
    if (from.torch || !startsLikeNpy(*head)) {
        auto inner = openInner(file, from);
        if (!inner) return inner.error();
        const std::string name = std::move(tap.name);
        tap = (*inner)->taps()[0];
        tap.name = name;
        if (tap.error) return *tap.error;
        return Done{};
    }
    const auto end =
        npyHeaderEnd(std::span(*head).subspan(0, std::min<std::size_t>(head->size(), 12)), *total);
    if (!end) return end.error();
    if (*end > head->size()) head = payload.bytes(*end);
    if (!head) return head.error();
    const auto layout = readNpyLayout(*head, *total);
    if (!layout) return layout.error();
    describeNpy(*layout, tap);
    return Done{};
}

/// `y`; of several iterations `iteration1/y`; of several runners `runner/iteration1/y`.
std::string tapName(const PolygraphyLayout& layout, const PolygraphyTensor& t) {
    const std::size_t iterations =
        layout.runners.empty() ? layout.feedDicts : layout.runners[t.runner].iterations;
    std::string name = iterations > 1 ? fmt::format("iteration{}/{}", t.iteration, t.name) : t.name;
    return layout.runners.size() > 1 ? layout.runners[t.runner].name + "/" + name : name;
}

Result<std::shared_ptr<const Dump>> open(std::shared_ptr<const FileBytes> file) {
    const auto outline = JsonOutline::of(*file);
    if (!outline) return outline.error();
    const auto layout = polygraphyLayout(*outline, file->pathText());
    if (!layout) return layout.error();
    Manifest manifest{"polygraphy", file->path(), {}, {}, {}, std::nullopt};
    for (const auto& runner : layout->runners)
        manifest.runners.push_back({runner.name, manifest.taps.size(), 0});
    std::vector<PayloadTap> taps;
    for (const PolygraphyTensor& t : layout->tensors) {
        TapEntry tap;
        tap.name = tapName(*layout, t);
        PayloadTap from;
        Status ok = t.error;
        if (t.payload) {
            from = {*t.payload, t.torch};
            ok = describe(*file, from, tap);
        }
        if (!ok) tap.error = named(ok.error(), *file, tap.name);
        if (!manifest.runners.empty()) {
            Manifest::Runner& runner = manifest.runners[t.runner];
            if (runner.taps++ == 0) runner.firstTap = manifest.taps.size();
        }
        manifest.taps.push_back(std::move(tap));
        taps.push_back(from);
    }
    for (const std::string& name : layout->doubled)
        manifest.cautions.push_back(
            {"duplicate-member", inQuotes(name) + " is there twice; the last one counts", ""});
    return std::shared_ptr<const Dump>(
        std::make_shared<PolygraphyDump>(std::move(manifest), std::move(file), std::move(taps)));
}

/// JSON with the marks of the format near one of its ends: the class of the whole stands last, after
/// gigabytes of payload, and a cut file has only its start.
bool matches(const FileBytes& file) {
    const std::string_view text(reinterpret_cast<const char*>(file.bytes().data()), file.size());
    bool found = false;
    if (!guardMappedRead([&] {
            const std::string_view start = text.substr(0, limits::kPolygraphySniffBytes);
            const auto first = start.find_first_not_of(" \t\r\n");
            if (first == std::string_view::npos || (start[first] != '{' && start[first] != '[')) return;
            const auto tail = text.size() - std::min<std::size_t>(text.size(), limits::kPolygraphySniffBytes);
            for (const std::string_view part : {start, text.substr(tail)})
                found = found || part.find("\"polygraphy_class\"") != std::string_view::npos ||
                        part.find("\"__polygraphy_encoded_") != std::string_view::npos;
            found = found || (start.find("\"outputs\"") != std::string_view::npos &&
                              start.find("\"array\"") != std::string_view::npos);
        }))
        return false;
    return found;
}

} // namespace

Reader polygraphyReader() {
    return {matches, open};
}

} // namespace divdet
