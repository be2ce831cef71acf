// Ops of a program of torch's minifier: what is called or computed, not what only changes hands.
#include <gtest/gtest.h>

#include "session/repro/torch_bundle.h"

namespace divdet {
namespace {

using Ops = std::vector<std::string>;

Ops opsOf(const std::string& body) {
    return forwardOps("class Repro:\n    def __init__(self):\n        super().__init__()\n"
                      "    def forward(self, x, y):\n" +
                      body + "def load_args(reader):\n    reader.tensor(buf0, (2,))\n");
}

TEST(ForwardOps, AreInTheReturnToo) {
    EXPECT_EQ(opsOf("        return torch.ops.aten.relu.default(x)\n"), Ops{"torch.ops.aten.relu.default"});
    EXPECT_EQ(opsOf("        return (torch.relu(x), y)\n"), Ops{"(torch.relu(x), y)"});
    EXPECT_EQ(opsOf("        return x - y\n"), Ops{"x - y"});
    EXPECT_EQ(opsOf("        return x[0]\n"), Ops{"x[0]"});
    for (const char* handed : {"return (x,)", "return [x, None]", "return {'a': x}", "return x", "return"})
        EXPECT_EQ(opsOf("        " + std::string(handed) + "\n"), Ops{}) << handed;
    EXPECT_EQ(opsOf("        return (x,)\n        z = torch.relu(x)\n"), Ops{}); // never reached
}

TEST(ForwardOps, AreThoseWhoseResultIsDropped) {
    EXPECT_EQ(opsOf("        torch._foreach_add_(x, 1)\n        return (x,)\n"), Ops{"torch._foreach_add_"});
    EXPECT_EQ(opsOf("        torch.add(x, y, out = x);  y = None\n"), Ops{"torch.add"});
    EXPECT_EQ(opsOf("        x[0] = y;  setitem = x\n"), Ops{"x[0] = y"});
    EXPECT_EQ(opsOf("        x += y\n"), Ops{"x += y"});
    EXPECT_EQ(opsOf("        # torch.relu(x)\n        z = x\n        return_value = z.relu()\n"),
              Ops{"z.relu"});
    EXPECT_EQ(opsOf("        relu: \"f32[2]\" = torch.relu(x);  x = None\n        return (relu,)\n"),
              Ops{"torch.relu"});
}

} // namespace
} // namespace divdet
