#include <iostream>
#include <random>

#include "dump/write.h"
#include "dump_test_support.h"

namespace divdet::testing {
namespace {

struct Seen {
    int whole = 0, partly = 0, refused = 0;
};

/// Opens and loads everything: an error, or (for `sameOnly`) the same tensors as the undamaged file.
void openAll(const std::string& name, std::vector<std::byte> bytes, const Dump& truth, bool sameOnly,
             Seen& seen) {
    const auto dump = openBytes(name, std::move(bytes));
    if (!dump) {
        EXPECT_FALSE(dump.error().message.empty());
        ++seen.refused;
        return;
    }
    bool whole = true;
    for (std::size_t i = 0; i < (*dump)->taps().size(); ++i) {
        const std::string hash = hashOf(**dump, i);
        const bool failed = hash.starts_with("error: ");
        whole = whole && !failed;
        const auto original = truth.find((*dump)->taps()[i].name);
        EXPECT_TRUE(!sameOnly || failed || (original && hash == hashOf(truth, *original)))
            << (*dump)->taps()[i].name;
    }
    ++(whole ? seen.whole : seen.partly);
}

std::vector<std::filesystem::path> smallFiles(const ScratchFolder& folder) {
    const std::vector<float> f = {1, 2, 3, 4, 5, 6};
    const std::vector<std::int64_t> i = {7, -8};
    const std::vector<NamedTensor> both = {{"first", tensorOf<float>(DType::f32, {2, 3}, f)},
                                           {"second", tensorOf<std::int64_t>(DType::i64, {2}, i)}};
    EXPECT_TRUE(writeNpy(folder / "t.npy", both[0].tensor).ok());
    EXPECT_TRUE(writeNpz(folder / "t.npz", both).ok());
    EXPECT_TRUE(writeSafetensors(folder / "t.safetensors", both).ok());
    std::vector<std::filesystem::path> files = {folder / "t.npy", folder / "t.npz", folder / "t.safetensors"};
    for (const char* extra :
         {"npz/ok_deflated.npz", "npz/ok_zip64_full.npz", "npz/ok_data_descriptor.npz", "npz/ok_bzip2.npz",
          "npy/ok_structured.npy", "safetensors/ok_library_mixed.safetensors"})
        if (const auto path = shared("data/onnx/formats") / extra; std::filesystem::exists(path))
            files.push_back(path);
    for (const char* extra : {"legacy_dict.pt", "views.pt", "quantized.pt", "conj_view.pt", "deflated.pt",
                              "nested.pt", "protocol4.pt", "dtype_float8_e8m0fnu.pt"})
        if (const auto path = shared("data/torch/pt") / extra; std::filesystem::exists(path))
            files.push_back(path);
    return files;
}

TEST(Damaged, CutAtEveryByte) {
    const ScratchFolder folder;
    Seen seen;
    for (const auto& path : smallFiles(folder)) {
        SCOPED_TRACE(path.filename());
        const auto bytes = readAll(path);
        const auto truth = openDump(path);
        ASSERT_TRUE(truth.ok());
        const int before = seen.whole;
        for (std::size_t n = 0; n < bytes.size(); ++n)
            openAll(path.string(), {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n)}, **truth,
                    true, seen);
        EXPECT_EQ(seen.whole, before) << "a cut file passed for whole";
    }
    std::cout << "cuts: " << seen.refused << " refused, " << seen.partly << " read in part, " << seen.whole
              << " whole\n";
}

TEST(Damaged, AnyByteChanged) {
    const ScratchFolder folder;
    Seen seen;
    for (const auto& path : smallFiles(folder)) {
        const auto bytes = readAll(path);
        const auto truth = openDump(path);
        ASSERT_TRUE(truth.ok());
        for (std::size_t n = 0; n < bytes.size(); ++n)
            for (const unsigned flip : {0x01u, 0x80u, 0xffu}) {
                auto changed = bytes;
                changed[n] ^= static_cast<std::byte>(flip);
                openAll(path.string(), std::move(changed), **truth, false, seen);
            }
    }
    std::cout << "changes: " << seen.refused << " refused, " << seen.partly << " read in part, " << seen.whole
              << " whole\n";
    EXPECT_GT(seen.refused, 0);
}

TEST(Damaged, SeveralRandomChanges) {
    const ScratchFolder folder;
    Seen seen;
    std::mt19937 random(20261129);
    for (const auto& path : smallFiles(folder)) {
        const auto bytes = readAll(path);
        const auto truth = openDump(path);
        ASSERT_TRUE(truth.ok());
        for (int round = 0; round < 1500; ++round) {
            auto changed = bytes;
            for (unsigned k = 1 + random() % 6; k-- > 0;) {
                const auto at = static_cast<std::ptrdiff_t>(random() % changed.size());
                switch (random() % 3) {
                case 0:
                    changed[static_cast<std::size_t>(at)] = static_cast<std::byte>(random());
                    break;
                case 1:
                    changed.erase(changed.begin() + at);
                    break;
                default:
                    changed.insert(changed.begin() + at, static_cast<std::byte>(random()));
                }
                if (changed.empty()) break;
            }
            openAll(path.string(), std::move(changed), **truth, false, seen);
        }
    }
    std::cout << "random: " << seen.refused << " refused, " << seen.partly << " read in part, " << seen.whole
              << " whole\n";
}

} // namespace
} // namespace divdet::testing
