#include "base/sha256.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace divdet {
namespace {

std::string hashText(std::string_view text) {
    return sha256(std::as_bytes(std::span(text.data(), text.size())));
}

TEST(Sha256, KnownAnswers) {
    EXPECT_EQ(hashText(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(hashText("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(hashText("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(hashText(std::string(1'000'000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesDoNotMatter) {
    std::string text;
    for (int i = 0; i < 300; ++i) text += static_cast<char>(i * 7);
    for (std::size_t n = 0; n <= text.size(); ++n)
        for (const std::size_t step : {1u, 63u, 64u, 65u}) {
            Sha256 hash;
            for (std::size_t at = 0; at < n; at += step)
                hash.update(std::as_bytes(std::span(text).subspan(at, std::min(step, n - at))));
            ASSERT_EQ(hash.finish(), hashText(text.substr(0, n))) << n << " by " << step;
        }
}

} // namespace
} // namespace divdet
