#include "fuzz/dump_walk.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <unistd.h>

#include "base/sha256.h"
#include "tensor/convert.h"

namespace divdet::fuzz {
namespace {

constexpr std::size_t kMostTaps = 12;
constexpr std::int64_t kMostElements = 1 << 14;

void touch(const Tensor& t) {
    const TensorView& v = t.view();
    require(v.shape.size() == v.strides.size(), "one stride per dimension");
    require(elementCount(v.shape).has_value(), "a loaded shape is countable");
    const std::int64_t n = t.elements();
    if (n == 0) return;
    require(v.data != nullptr, "elements have an address");
    if (v.dtype == DType::opaque) return;
    if (n > kMostElements) {
        elementAt(v, 0);
        elementAt(v, n - 1);
        return;
    }
    const Tensor compact = compacted(t);
    require(compact.elements() == n, "a compact copy has as many elements");
    sha256({compact.view().data, static_cast<std::size_t>(n) * itemSize(compact.dtype())});
    if (v.dtype == DType::boolean || kind(v.dtype) == DTypeKind::integer) {
        std::vector<WideInt> wide(static_cast<std::size_t>(n));
        loadAsWideInt(v, 0, wide);
    }
    elementAt(v, n - 1);
}

void checkEntry(const TapEntry& tap, std::uint64_t fileBytes) {
    for (const std::int64_t extent : tap.shape) require(extent >= 0, "no extent is negative");
    if (tap.error) return checkError(*tap.error, fileBytes);
    require(elementCount(tap.shape).has_value(), "the shape of a tap is countable");
    require(tap.dtype != DType::opaque || tap.opaqueItem > 0, "a void tap tells its item");
}

} // namespace

void checkError(const Error& error, std::uint64_t fileBytes) {
    require(!error.message.empty(), "an error has a message");
    require(error.code != ErrorCode::internal, "an error does not blame the program: " + error.message);
    require(error.message.size() < 4096 && error.hint.size() < 4096, "a message stays short");
    const bool inMember = error.path.find(": ") != std::string::npos;
    if (error.offset && !inMember)
        require(*error.offset <= fileBytes, "the offset lies in the file: " + error.text());
}

void walkDump(const Dump& dump, std::uint64_t fileBytes) {
    require(!dump.format().empty(), "a dump has a format");
    for (const Caution& c : dump.manifest().cautions)
        require(!c.id.empty() && !c.text.empty(), "a caution says something");
    for (const TapEntry& tap : dump.taps()) checkEntry(tap, fileBytes);
    for (std::size_t i = 0; i < std::min(kMostTaps, dump.taps().size()); ++i) {
        const TapEntry& tap = dump.taps()[i];
        const auto plain = dump.load(i);
        if (plain) {
            require(!tap.error, "a tap with an error does not load");
            require(plain->dtype() == tap.dtype, "the loaded type is the manifest's");
            require(plain->shape() == tap.shape, "the loaded shape is the manifest's");
            touch(*plain);
        } else {
            checkError(plain.error(), fileBytes);
        }
        if (i >= 3 && tap.dtype != DType::opaque) continue; // the options matter to void and record taps
        std::vector<LoadOptions> others = {{DType::opaque, {}}, {DType::bf16, {}}, {DType::f8e4m3, {}}};
        for (std::size_t f = 0; f < std::min<std::size_t>(3, tap.fields.size()); ++f)
            others.push_back({std::nullopt, tap.fields[f]});
        others.push_back({DType::f32, "no such field"});
        for (const LoadOptions& options : others) {
            const auto tensor = dump.load(i, options);
            if (tensor)
                touch(*tensor);
            else
                checkError(tensor.error(), fileBytes);
        }
    }
    require(!dump.load(dump.taps().size()).ok(), "there is no tap past the last");
}

void openAndWalk(const std::string& name, std::vector<std::byte> bytes) {
    const std::uint64_t size = bytes.size();
    const auto dump = openDump(FileBytes::of(name, std::move(bytes)));
    if (dump)
        walkDump(**dump, size);
    else
        checkError(dump.error(), size);
}

std::string writtenFile(const std::string& suffix,
                        const std::function<Status(const std::filesystem::path&)>& write) {
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("divdet-seed-" + std::to_string(::getpid()) + suffix);
    const Status written = write(path);
    require(written.ok(), "a seed can be written");
    std::ifstream in(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::filesystem::remove(path);
    return bytes;
}

std::vector<NamedTensor> sampleTensors() {
    const std::vector<float> f = {1, -2.5f, 3e-8f, 4, 0, 6};
    const std::vector<std::int64_t> i = {7, -8};
    const std::vector<std::uint8_t> b = {1, 0, 1};
    const std::vector<std::uint16_t> h = {0x3f80, 0x7fc0};
    return {{"layers.0/first", tensorOf<float>(DType::f32, {2, 3}, f)},
            {"second", tensorOf<std::int64_t>(DType::i64, {2}, i)},
            {"flags", tensorOf<std::uint8_t>(DType::boolean, {3, 1}, b)},
            {"half", tensorOf<std::uint16_t>(DType::bf16, {2}, h)},
            {"scalar", tensorOf<float>(DType::f32, {}, std::span(f).first(1))},
            {"empty", tensorOf<float>(DType::f32, {0, 5}, {})}};
}

} // namespace divdet::fuzz
