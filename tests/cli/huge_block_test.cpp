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

} // namespace
} // namespace divdet
