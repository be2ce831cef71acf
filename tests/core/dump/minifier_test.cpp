#include <iostream>

#include <nlohmann/json.hpp>

#include "dump/minifier.h"
#include "dump/repro_text.h"
#include "torch_file.h"

namespace divdet::testing {
namespace {

void write(const std::filesystem::path& path, const std::vector<std::byte>& bytes) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}
void write(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

const std::string kHash(40, 'a');

std::vector<std::byte> storageFile() {
    return pt::file(pt::storage("UntypedStorage", "0", 24), {pt::floats({1, 2, 3, 4, 5, 6})});
}

TEST(Minifier, ReproLinesAreReadAsText) {
    const TorchRepro r = parseTorchRepro(
        "\nimport os\nreader.tensor(outside, (1,))\ndef load_args(reader):\n"
        "    buf0 = reader.storage('" +
        kHash +
        "', 24, device=device(type='cuda', index=0))\n"
        "    reader.tensor(buf0, (2, 3), is_leaf=True)  # x\n"
        "    reader.tensor(buf0, (3, 2), (1, 3), dtype=torch.bfloat16, storage_offset=2)  # x\n"
        "    buf1 = reader.storage(None, 4)\n"
        "    reader.tensor(buf1, ())\n"
        "    reader.symint(64)  # s0\n"
        "    reader.tensor(buf0, (s0, 3))  # symbolic\n"
        "    reader.tensor(buf7, (2, 3))  # nowhere\n"
        "load_args._version = 0\n    reader.tensor(buf0, (1,))\n");
    ASSERT_EQ(r.storages.size(), 2u);
    EXPECT_EQ(r.storages[0].hash, kHash);
    EXPECT_EQ(r.storages[0].bytes, 24u);
    EXPECT_EQ(r.storages[1].hash, "");
    ASSERT_EQ(r.tensors.size(), 5u);
    EXPECT_EQ(r.tensors[0].name, "x");
    EXPECT_EQ(r.tensors[0].window->strides, (std::vector<std::int64_t>{3, 1}));
    EXPECT_EQ(r.tensors[0].window->type.dtype, DType::f32);
    EXPECT_EQ(r.tensors[1].name, "x #2");
    EXPECT_EQ(r.tensors[1].window->type.dtype, DType::bf16);
    EXPECT_EQ(r.tensors[1].window->offset, 2u);
    EXPECT_EQ(r.tensors[2].name, "input2");
    EXPECT_TRUE(r.tensors[3].error.has_value());
    EXPECT_TRUE(r.tensors[4].error.has_value());
    EXPECT_EQ(r.values.at(0), (std::pair<std::string, std::string>{"s0", "64"}));
}

TEST(Minifier, HashesNeverLeadElsewhere) {
    for (const char* bad : {"", "../../etc/passwd", "/etc/passwd", "abc/def", "ABC", "a.b"})
        EXPECT_FALSE(isStorageHash(bad));
    const ScratchFolder folder;
    write(folder / "outside", storageFile());
    std::filesystem::create_directories(folder / "run/checkpoints/storages");
    std::filesystem::create_symlink(folder / "outside", folder / "run/checkpoints/storages" / kHash);
    write(folder / "run/repro.py",
          "def load_args(reader):\n    buf0 = reader.storage('" + kHash +
              "', 24)\n    reader.tensor(buf0, (6,))  # link\n"
              "    buf1 = reader.storage('../../outside', 24)\n    reader.tensor(buf1, (6,))  # up\n");
    const auto dump = openDump(folder / "run");
    ASSERT_TRUE(dump.ok()) << dump.error().text();
    ASSERT_EQ((*dump)->taps().size(), 2u);
    for (const TapEntry& tap : (*dump)->taps()) EXPECT_TRUE(tap.error.has_value()) << tap.name;
}

TEST(Minifier, FolderScriptAndSavedTensors) {
    const ScratchFolder folder;
    const auto minifier = folder / "run/minifier";
    write(minifier / "checkpoints/storages" / kHash, storageFile());
    write(minifier / "repro.py",
          "def load_args(reader):\n    buf0 = reader.storage('" + kHash +
              "', 24)\n    reader.tensor(buf0, (2, 3))  # x\n    reader.tensor(buf0, (2, 4))  # far\n"
              "    buf1 = reader.storage('" +
              kHash + "', 20)\n    reader.tensor(buf1, (5,))  # lying\n");
    for (const auto& path : {folder / "run", minifier, minifier / "repro.py"}) {
        const auto dump = openDump(path);
        ASSERT_TRUE(dump.ok()) << dump.error().text();
        EXPECT_EQ((*dump)->format(), "minifier");
        ASSERT_EQ((*dump)->taps().size(), 3u);
        EXPECT_EQ((*dump)->taps()[0].name, "x");
        EXPECT_EQ(pt::values(**dump, 0), (std::vector<double>{1, 2, 3, 4, 5, 6}));
        EXPECT_TRUE((*dump)->taps()[1].error.has_value());
        EXPECT_TRUE((*dump)->taps()[2].error.has_value());
    }
    const auto bare = openDump(minifier / "checkpoints");
    ASSERT_TRUE(bare.ok());
    EXPECT_EQ((*bare)->taps().at(0).name, kHash);
    EXPECT_EQ((*bare)->taps().at(0).dtype, DType::u8);
    const auto saved = [](const std::string& type, std::int64_t offset) {
        return pt::file(pt::tuple({pt::global("torch", type), pt::text(kHash), pt::integer(offset),
                                   pt::numbers({2, 2}), pt::numbers({1, 2}), "}"}),
                        {});
    };
    write(minifier / "checkpoints/tensors/layer/out", saved("float32", 1));
    write(minifier / "checkpoints/tensors/layer/past", saved("float32", 3));
    write(minifier / "checkpoints/tensors/tenth", saved("float8_e8m0fnu", 0));
    write(minifier / "checkpoints/tensors/zz", std::string("no archive"));
    const auto tensors = openDump(folder / "run");
    ASSERT_TRUE(tensors.ok()) << tensors.error().text();
    ASSERT_EQ((*tensors)->taps().size(), 4u);
    EXPECT_EQ((*tensors)->taps()[0].name, "layer/out");
    EXPECT_EQ(pt::values(**tensors, 0), (std::vector<double>{2, 4, 3, 5}));
    EXPECT_TRUE((*tensors)->taps()[1].error.has_value());
    EXPECT_EQ((*tensors)->taps()[2].dtype, DType::f32);
    EXPECT_EQ(pt::values(**tensors, 2).size(), 4u);
    EXPECT_TRUE((*tensors)->taps()[3].error.has_value());
}

TEST(Minifier, RealOutput) {
    const auto root = shared("data/torch/minifier");
    DIVDET_NEED_SHARED(root / "truth.json");
    const auto truth = nlohmann::json::parse(std::ifstream(root / "truth.json"))["cases"];
    int storages = 0, inputs = 0, files = 0, scripts = 0;
    for (const auto& [name, about] : truth.items()) {
        SCOPED_TRACE(name);
        const auto repro = openDump(root / about["repro"].get<std::string>());
        ASSERT_TRUE(repro.ok()) << repro.error().text();
        EXPECT_EQ((*repro)->format(), "minifier");
        EXPECT_EQ((*repro)->taps().size(), about["repro_storages"].size());
        for (std::size_t i = 0; i < (*repro)->taps().size(); ++i) {
            const auto tensor = (*repro)->load(i);
            ASSERT_TRUE(tensor.ok()) << tensor.error().text();
            const std::string bytes =
                std::to_string(static_cast<std::size_t>(tensor->elements()) * itemSize(tensor->dtype()));
            EXPECT_TRUE(about["repro_storages"][i].get<std::string>().ends_with(", " + bytes));
            ++inputs;
        }
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / name)) {
            if (entry.path().parent_path().filename() == "storages") {
                const auto dump = openDump(entry.path());
                ASSERT_TRUE(dump.ok()) << dump.error().text();
                const auto want = about["storages"][entry.path().filename().string()]["storage_bytes"];
                EXPECT_EQ((*dump)->taps().at(0).shape, Shape{want.get<std::int64_t>()});
                EXPECT_TRUE((*dump)->load(0).ok());
                ++storages;
            } else if (entry.path().extension() == ".py") {
                const auto dump = openDump(entry.path());
                ASSERT_TRUE(dump.ok()) << entry.path() << dump.error().text();
                EXPECT_FALSE((*dump)->taps().empty());
                ++scripts;
            } else if (entry.path().filename() == "minifier") {
                EXPECT_TRUE(isMinifierFolder(entry.path()));
                const auto dump = openDump(entry.path());
                ASSERT_TRUE(dump.ok());
                EXPECT_EQ((*dump)->format(), "minifier");
                EXPECT_FALSE((*dump)->taps().empty());
                ++files;
            }
        }
    }
    std::cout << "minifier: " << inputs << " inputs of repros, " << storages << " storages, " << scripts
              << " scripts, " << files << " folders\n";
    EXPECT_GE(inputs, 5);
    EXPECT_GE(storages, 40);
}

} // namespace
} // namespace divdet::testing
