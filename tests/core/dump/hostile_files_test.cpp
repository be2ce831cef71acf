// Folders and files made to harm: loops, pipes, devices, too many files, names that are no names.
#include <sys/stat.h>
#include <unistd.h>

#include "dump/limits.h"
#include "dump/pairing.h"
#include "dump/text_encoding.h"
#include "dump/write.h"
#include "dump_test_support.h"

namespace divdet::testing {
namespace {
namespace fs = std::filesystem;

Tensor two() {
    const std::vector<float> values = {1, 2};
    return tensorOf<float>(DType::f32, {2}, values);
}

TEST(HostileFolder, LinksPipesAndDevicesAreCautionsNotHangs) {
    const ScratchFolder f;
    ASSERT_TRUE(writeNpy(f / "good.npy", two()).ok());
    fs::create_symlink("loop.npy", f / "loop.npy");
    fs::create_symlink("b.npy", f / "a.npy");
    fs::create_symlink("a.npy", f / "b.npy");
    fs::create_directory_symlink(".", f / "self.npy");
    fs::create_symlink("/dev/zero", f / "zero.npy");
    fs::create_symlink("nowhere", f / "dangling.npy");
    ASSERT_EQ(::mkfifo((f / "pipe.npy").c_str(), 0600), 0);
    const auto dump = openDump(f.path());
    ASSERT_TRUE(dump.ok()) << dump.error().text();
    ASSERT_EQ((*dump)->taps().size(), 1u);
    EXPECT_EQ((*dump)->taps()[0].name, "good");
    EXPECT_EQ((*dump)->manifest().cautions.size(), 7u);
    for (const Caution& c : (*dump)->manifest().cautions) EXPECT_EQ(c.id, "ignored-member");
}

TEST(HostileFolder, APipeOrADeviceAloneIsRefusedUnopened) {
    const ScratchFolder f;
    ASSERT_EQ(::mkfifo((f / "pipe.npy").c_str(), 0600), 0);
    for (const fs::path& path : {f / "pipe.npy", fs::path("/dev/zero"), fs::path("/dev/tty")}) {
        if (!fs::exists(path)) continue;
        EXPECT_EQ(openDump(path).error().code, ErrorCode::refused) << path;
    }
    fs::create_symlink("loop.npy", f / "loop.npy");
    EXPECT_EQ(openDump(f / "loop.npy").error().code, ErrorCode::io);
}

TEST(HostileFolder, MoreFilesThanTheLimitAreRefusedWithTheLimitNamed) {
    const ScratchFolder f;
    for (std::size_t i = 0; i <= limits::kFolderFiles; ++i) std::ofstream(f / (std::to_string(i) + ".npy"));
    const auto dump = openDump(f.path());
    ASSERT_FALSE(dump.ok());
    EXPECT_EQ(dump.error().code, ErrorCode::refused);
    EXPECT_NE(dump.error().message.find("20000"), std::string::npos) << dump.error().text();
}

TEST(HostileFolder, AFileThatMayNotBeReadIsATapWithAnError) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
    const ScratchFolder f;
    ASSERT_TRUE(writeNpy(f / "good.npy", two()).ok());
    ASSERT_TRUE(writeNpy(f / "secret.npy", two()).ok());
    fs::permissions(f / "secret.npy", fs::perms::none);
    const auto dump = openDump(f.path());
    ASSERT_TRUE(dump.ok());
    ASSERT_EQ((*dump)->taps().size(), 2u);
    EXPECT_EQ((*dump)->taps()[1].error.value().code, ErrorCode::io);
}

TEST(HostileNames, ArePairedAsTextAndNeverOpened) {
    const ScratchFolder f;
    const std::vector<std::string> names = {
        "../../etc/passwd", "/etc/passwd",  "a\nb", "\x1b[2J\x1b]0;x\a", "..", ".", "C:\\x", "%s%n",
        "<b>x</b>",         "\u202egnp.exe"};
    std::vector<NamedTensor> tensors;
    for (const std::string& n : names) tensors.push_back({n, two()});
    ASSERT_TRUE(writeNpz(f / "a.npz", tensors).ok());
    ASSERT_TRUE(writeSafetensors(f / "b.safetensors", tensors).ok());
    const auto a = openDump(f / "a.npz"), b = openDump(f / "b.safetensors");
    ASSERT_TRUE(a.ok() && b.ok());
    const auto pairing = pairTaps(**a, **b);
    ASSERT_TRUE(pairing.ok());
    EXPECT_EQ(pairing->pairs.size(), names.size());
    for (const Pair& p : pairing->pairs) {
        EXPECT_EQ(p.by, PairedBy::name);
        EXPECT_TRUE((*a)->load(p.reference).ok());
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(f.path()), fs::directory_iterator()), 2);
}

TEST(HostileNames, OfMegabytesCostTimeInProportion) {
    std::string wrapped;
    for (int i = 0; i < 1'500'000; ++i) wrapped += "module.";
    const ScratchFolder f;
    const std::vector<NamedTensor> a = {{wrapped + "x", two()}, {"y", two()}},
                                   b = {{"x", two()}, {"z", two()}};
    ASSERT_TRUE(writeSafetensors(f / "a.safetensors", a).ok());
    ASSERT_TRUE(writeSafetensors(f / "b.safetensors", b).ok());
    const auto r = openDump(f / "a.safetensors"), c = openDump(f / "b.safetensors");
    ASSERT_TRUE(r.ok() && c.ok());
    const auto pairing = pairTaps(**r, **c);
    ASSERT_TRUE(pairing.ok());
    EXPECT_EQ(pairing->pairs.size(), 2u);
    const auto unknown = pairTaps(**r, **c, {{{"nobody", "x"}}, {}, {}, {}});
    ASSERT_FALSE(unknown.ok());
    EXPECT_LT(unknown.error().text().size(), 1000u);
}

TEST(Printable, EscapesWhatSteersATerminalAndKeepsTheRest) {
    EXPECT_EQ(printable("größe/层.0 🙂"), "größe/层.0 🙂");
    EXPECT_EQ(printable("\x1b[31mred\r\n\t\x7f"), "\\x1b[31mred\\x0d\\x0a\\x09\\x7f");
    EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
    EXPECT_EQ(printable("\xc2\x9b"
                        "2J"),
              "\\u009b2J"); // the one-byte form of ESC [
    EXPECT_EQ(printable("\u202egpj.exe\u2069\u200f\u2028\ufeff"),
              "\\u202egpj.exe\\u2069\\u200f\\u2028\\ufeff");
    EXPECT_EQ(printable("\xff\xc3(\xed\xa0\x80"), "\\xff\\xc3(\\xed\\xa0\\x80");
    EXPECT_EQ(printable("äöü", 4), "äö…");
    EXPECT_EQ(printable("abc", 3), "abc");
    EXPECT_EQ(inQuotes(std::string(100, 'x')), "'" + std::string(60, 'x') + "…'");
}

TEST(Offsets, PointAtTheByteOfTheFile) {
    // Format 1.0 is Latin-1: the two e-acutes before the fault are one byte each.
    std::string header = "{'\xe9\xe9': 1, 'descr': ?}";
    std::string npy = std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size()) + '\0' + header;
    auto bytes = [](const std::string& s) {
        const auto* p = reinterpret_cast<const std::byte*>(s.data());
        return std::vector<std::byte>(p, p + s.size());
    };
    const auto a = openBytes("x.npy", bytes(npy));
    ASSERT_FALSE(a.ok());
    EXPECT_EQ(a.error().offset, npy.find('?'));

    std::string json = R"({"a": ?})";
    std::string st(1, static_cast<char>(json.size()));
    st += std::string(7, '\0') + json;
    const auto b = openBytes("x.safetensors", bytes(st));
    ASSERT_FALSE(b.ok());
    EXPECT_EQ(b.error().offset, st.find('?'));

    const auto c = openBytes("x.safetensors", bytes(std::string("\1\0\0\0\0\0\0\0{", 9)));
    ASSERT_FALSE(c.ok());
    EXPECT_EQ(c.error().offset, 9u); // the end of the file
}

} // namespace
} // namespace divdet::testing
