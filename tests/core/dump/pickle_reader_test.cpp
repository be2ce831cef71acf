#include "dump/pickle_reader.h"

#include <random>

#include "dump/pickle_text.h"
#include "torch_file.h"

namespace divdet::testing {
namespace {

using namespace std::string_literals;
using Kind = PickleValue::Kind;

PickleGlobal judge(std::string_view dotted) {
    if (dotted == "m.Dict") return PickleGlobal::dict;
    if (dotted == "m.Set") return PickleGlobal::set;
    return dotted == "m.good" ? PickleGlobal::inert : PickleGlobal::refused;
}

Result<Pickle> read(const std::string& bytes, std::size_t start = 0) {
    static std::string kept; // texts of the result point into it
    kept = bytes;
    return readPickle({reinterpret_cast<const std::byte*>(kept.data()), kept.size()}, start,
                      {judge, nullptr});
}

std::string shown(const std::string& body) {
    const auto p = read("\x80\x02" + body + ".");
    return p ? pickleText(*p, p->top, 1000, true) : "error: " + p.error().message;
}

std::string bytes(std::initializer_list<int> codes) {
    std::string s;
    for (int c : codes) s.push_back(static_cast<char>(c));
    return s;
}

TEST(PickleReader, Numbers) {
    EXPECT_EQ(shown("N"), "None");
    EXPECT_EQ(shown("\x88"), "True");
    EXPECT_EQ(shown("\x89"), "False");
    EXPECT_EQ(shown("K\xff"), "255");
    EXPECT_EQ(shown("M\xff\xff"), "65535");
    EXPECT_EQ(shown("J\xfe\xff\xff\xff"), "-2");
    EXPECT_EQ(shown(bytes({0x8a, 0})), "0");
    EXPECT_EQ(shown(bytes({0x8a, 1, 0xff})), "-1");
    EXPECT_EQ(shown(bytes({0x8a, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0x40})), "1180591620717411303424"); // 2 ** 70
    EXPECT_EQ(shown(bytes({0x8a, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0xc0})), "-1180591620717411303424");
    EXPECT_EQ(shown(bytes({0x8b, 1, 0, 0, 0, 7})), "7");
    EXPECT_EQ(shown(bytes({'G', 0x3f, 0xc0, 0, 0, 0, 0, 0, 0})), "0.125");
    EXPECT_EQ(shown(bytes({'G', 0x40, 0x08, 0, 0, 0, 0, 0, 0})), "3.0");
}

TEST(PickleReader, Texts) {
    EXPECT_EQ(shown(pt::text("gr\xc3\xb6\xc3\x9f")), "'gr\xc3\xb6\xc3\x9f'");
    EXPECT_EQ(shown("\x8c\x02hi"), "'hi'");
    EXPECT_EQ(shown("\x8d" + pt::little<std::uint64_t>(2) + "hi"), "'hi'");
    EXPECT_EQ(shown("U\x02hi"), "'hi'");
    EXPECT_EQ(shown("T" + pt::little<std::uint32_t>(2) + "hi"), "'hi'");
    EXPECT_EQ(shown("C\x03xyz"), "3 bytes");
    EXPECT_EQ(shown("B" + pt::little<std::uint32_t>(1) + "x"), "1 bytes");
    EXPECT_EQ(shown("\x8e" + pt::little<std::uint64_t>(1) + "x"), "1 bytes");
    EXPECT_EQ(shown("\x96" + pt::little<std::uint64_t>(1) + "x"), "1 bytes");
    EXPECT_EQ(shown("\x8d" + pt::little<std::uint64_t>(UINT64_MAX) + "hi"),
              "error: the file ends inside a pickle");
}

TEST(PickleReader, Containers) {
    EXPECT_EQ(shown(")"), "()");
    EXPECT_EQ(shown("K\1\x85"), "(1,)");
    EXPECT_EQ(shown("K\1K\2\x86"), "(1, 2)");
    EXPECT_EQ(shown("K\1K\2K\3\x87"), "(1, 2, 3)");
    EXPECT_EQ(shown("(K\1K\2t"), "(1, 2)");
    EXPECT_EQ(shown("]K\1a"), "[1]");
    EXPECT_EQ(shown("](K\1K\2e"), "[1, 2]");
    EXPECT_EQ(shown("}K\1K\2s"), "{1: 2}");
    EXPECT_EQ(shown("}(K\1K\2K\3K\4u"), "{1: 2, 3: 4}");
    EXPECT_EQ(shown("\x8f(K\1K\2\x90"), "{1, 2}");
    EXPECT_EQ(shown("}(K\1u"), "error: a dictionary of the pickle has a key without a value");
    EXPECT_EQ(shown("}K\1a"), "error: the pickle adds items to what is no container of that kind");
}

TEST(PickleReader, Memo) {
    EXPECT_EQ(shown("K\7q\0h\0\x86"s), "(7, 7)");
    EXPECT_EQ(shown("K\7r\0\1\0\0j\0\1\0\0\x86"s), "(7, 7)");
    EXPECT_EQ(shown("K\7\x94h\0\x86"s), "(7, 7)");
    EXPECT_EQ(shown("h\5"), "error: the pickle recalls value 5, which it did not keep");
    EXPECT_TRUE(read("\x80\x02]q\0h\0a."s).ok()) << "a list that holds itself";
}

TEST(PickleReader, CallsAreRecords) {
    EXPECT_EQ(shown("cm\ngood\nK\1\x85R"), "m.good(1)");
    EXPECT_EQ(shown("cm\ngood\nK\1\x85\x81"), "m.good(1)");
    EXPECT_EQ(shown("\x8c\1m\x8c\4good\x93)R"), "m.good()");
    EXPECT_EQ(shown("cm\nDict\n)R(K\1K\2u"), "{1: 2}");
    EXPECT_EQ(shown("cm\nDict\n](K\1K\2e\x85R"), "error: a dictionary of the pickle is made of no pairs");
    EXPECT_EQ(shown("cm\nDict\n]](K\1K\2ea\x85R"), "{1: 2}");
    EXPECT_EQ(shown("cm\nSet\n](K\1K\2e\x85R"), "{1, 2}");
    EXPECT_EQ(shown("cm\nDict\n)R}K\1K\2sb"), "{}") << "attributes are not entries";
    const auto built = read("\x80\x02"
                            "cm\ngood\n)RK\5b.");
    ASSERT_TRUE(built.ok());
    EXPECT_EQ(built->at(built->at(built->top).items.at(2)).integer, 5);
    const auto id = read("\x80\x02K\5Q.");
    ASSERT_TRUE(id.ok());
    EXPECT_EQ(id->at(id->top).kind, Kind::persistent);
    EXPECT_EQ(shown("K\1)R"), "error: the pickle calls what is no global");
    EXPECT_EQ(shown("cm\ngood\nK\1R"), "error: the arguments of a call are no tuple");
    EXPECT_EQ(shown("K\1K\2b"), "error: the pickle gives a state to what has none");
}

TEST(PickleReader, RefusesGlobalsByNameAndPlace) {
    for (const std::string& body : {"K\1cposix\nsystem\n\x86"s, "K\1\x8c\5posix\x8c\6system\x93\x86"s}) {
        const auto p = read("\x80\x02" + body + ".");
        ASSERT_FALSE(p.ok());
        EXPECT_EQ(p.error().code, ErrorCode::refused);
        EXPECT_NE(p.error().message.find("'posix.system'"), std::string::npos) << p.error().message;
        EXPECT_EQ(p.error().offset, 2 + body.find(body[2] == 'c' ? 'c' : '\x93'));
    }
    EXPECT_FALSE(read("\x80\x02"
                      "cm\n" +
                      std::string(2000, 'x') + "\n.")
                     .ok());
}

TEST(PickleReader, RefusesOtherOpcodesByName) {
    const std::pair<std::string, std::string> others[] = {
        {"im\nx\n", "INST"}, {"o", "OBJ"},         {"\x82\1", "EXT1"},    {"P5\n", "PERSID"},
        {"I1\n", "INT"},     {"S'x'\n", "STRING"}, {"\x92", "NEWOBJ_EX"}, {"\x97", "NEXT_BUFFER"},
        {"0", "POP"},        {"\x91", "FROZENSET"}};
    for (const auto& [body, name] : others) {
        const auto p = read("\x80\x02" + body + ".");
        ASSERT_FALSE(p.ok()) << name;
        EXPECT_EQ(p.error().code, ErrorCode::refused);
        EXPECT_NE(p.error().message.find(" " + name + ","), std::string::npos) << p.error().message;
        EXPECT_EQ(p.error().offset, 2u);
    }
    EXPECT_EQ(read("\x80\x02\xff.").error().code, ErrorCode::malformed);
    EXPECT_EQ(read("\x80\x07N.").error().code, ErrorCode::unsupported);
}

TEST(PickleReader, StacksDoNotUnderflow) {
    for (const char* body : {"\x85", "\x86", "\x87", "t",    "a",     "e",        "s",   "u", "\x90", "R",
                             "b",    "Q",    "\x93", "\x94", "(\x85", "K\1(\x86", "q\1", "",  "(",    "NN"})
        EXPECT_FALSE(read("\x80\x02" + std::string(body) + ".").ok()) << body;
}

TEST(PickleReader, LimitsHold) {
    const auto code = [](const std::string& body) {
        const auto p = read("\x80\x02" + body + ".");
        return p ? "read" : std::string(toString(p.error().code));
    };
    EXPECT_EQ(code(std::string(200'000, '(')), "refused");
    EXPECT_EQ(code("\x8a\xff" + std::string(255, '\1')), "refused") << "a 255-byte integer";
    std::string copies = "](" + std::string(1'000'000, 'N') + "eq"s + '\0';
    for (int i = 0; i < 20; ++i) copies += "cm\nSet\nh\0\x85R"s;
    EXPECT_EQ(code(copies), "refused") << "a few bytes that copy a million values each";
    EXPECT_EQ(code(std::string(9'000'000, 'N')), "refused");
}

TEST(PickleReader, SeveralInARow) {
    const std::string two = "\x80\x02K\1.\x80\x02K\2.";
    const auto first = read(two);
    ASSERT_TRUE(first.ok());
    EXPECT_EQ(first->end, 5u);
    const auto second = read(two, 5);
    ASSERT_TRUE(second.ok());
    EXPECT_EQ(second->at(second->top).integer, 2);
}

/// Everything above in one pickle: any cut is an error, any change is an error or a value.
TEST(PickleReader, CutOrChangedAnywhere) {
    const std::string good =
        "\x80\x04\x95\x10\0\0\0\0\0\0\0](}(X\1\0\0\0aK\1\x8c\1bM\1\1uJ\1\0\0\0\x8a\2\1\1\x8b\1\0\0\0\7"
        "G?\xc0\0\0\0\0\0\0C\1xB\1\0\0\0x\x8f(K\1\x90"
        "cm\ngood\n)R\x94q\5K\1K\2\x86K\1\x85K\1K\2K\3\x87(NNth\5\x88\x89"
        "\x8c\1m\x8c\4good\x93)\x81}bK\5Qcm\nDict\n)Rj\5\0\0\0e."s;
    ASSERT_TRUE(read(good).ok()) << read(good).error().message;
    for (std::size_t n = 0; n < good.size(); ++n) {
        const auto cut = read(good.substr(0, n));
        ASSERT_FALSE(cut.ok()) << n;
        EXPECT_LE(cut.error().offset.value_or(0), n);
    }
    std::mt19937 random(20261130);
    int read_ = 0, refused = 0;
    for (int round = 0; round < 20000; ++round) {
        std::string changed = good;
        for (unsigned k = 1 + random() % 4; k-- > 0;)
            changed[random() % changed.size()] = static_cast<char>(random());
        const auto p = read(changed);
        if (p) pickleText(*p, p->top, 200, true);
        ++(p ? read_ : refused);
    }
    EXPECT_GT(read_, 0);
    EXPECT_GT(refused, 0);
}

} // namespace
} // namespace divdet::testing
