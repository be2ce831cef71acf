// Sizes that would eat the machine end in a usage error before anything is drawn.
#include "cli_fixture.h"

namespace divdet {
namespace {

class HugeBlock : public CliFixture {};

TEST_F(HugeBlock, IsRefusedByEveryVerbThatTakesOne) {
    // Below every limit for a single dimension.
    const std::string block = " mlp --tokens 16777216 --width 64 --hidden 4 ";
    for (const char* command :
         {"run", "determinism", "bisect --pass tf32", "minify --pass tf32", "run --sane-tolerance"}) {
        std::string line = command;
        line.insert(line.find(' ') == std::string::npos ? line.size() : line.find(' '), block);
        const Output o = divdet(line);
        EXPECT_EQ(o.code, 2) << line << '\n' << o.out << o.err;
        EXPECT_NE(o.err.find("would hold"), std::string::npos) << line << '\n' << o.err;
        EXPECT_NE(o.err.find("at most 8 GiB are allowed"), std::string::npos) << line << '\n' << o.err;
        EXPECT_NE(o.err.find("make tokens, width, hidden smaller"), std::string::npos) << line << '\n'
                                                                                       << o.err;
    }
}

/// The limit is the user's to set, by the environment alone.
TEST_F(HugeBlock, IsAllowedAsFarAsTheUserSays) {
    const auto with = [&](const char* gib) {
        ::setenv("DIVDET_MAX_GIB", gib, 1);
        const Output o = divdet("run mlp --tokens 262144 --width 64 --hidden 64"); // some 3 GiB
        ::unsetenv("DIVDET_MAX_GIB");
        return o;
    };
    EXPECT_NE(with("1").err.find("at most 1 GiB are allowed"), std::string::npos) << with("1").err;
    for (const char* wrong : {"lots", "0", "-1", "8.5", "", "1048577"}) {
        EXPECT_EQ(with(wrong).code, 2) << wrong;
        EXPECT_NE(with(wrong).err.find("DIVDET_MAX_GIB"), std::string::npos) << with(wrong).err;
    }
}

} // namespace
} // namespace divdet
