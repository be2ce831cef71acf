// The cures carry the user's own names, dims and values.
#include <gtest/gtest.h>

#include "logs/fix_text.h"
#include "logs/log_reader.h"

namespace divdet {
namespace {

std::string fixOf(std::string_view reason) {
    const std::string v = "V0101 10:00:00.000001 77 torch/_dynamo/guards.py:1] [0/1] [__recompiles] ";
    LogReader reader;
    reader.feed(v + "Recompiling function f in /w/net.py:3\n" + v +
                "    triggered by the following guard failure(s):\n" + v +
                "    - 0/0: " + std::string(reason) + '\n');
    const auto r = reader.finish();
    return r.recompiles.empty() || r.recompiles[0].causes.empty() ? "" : r.recompiles[0].causes[0].fixText;
}

TEST(FixText, NamesTheTensorTheDimAndTheValues) {
    EXPECT_EQ(fixOf("tensor 'L['tokens']' size mismatch at index 1. expected 512, actual 537"),
              "mark_dynamic(tokens, 1), or pad to a few sizes; seen: 512, 537");
    EXPECT_EQ(fixOf("tensor 'self.mask' dtype mismatch. expected Float, actual Half"),
              "cast self.mask to one dtype before the call; seen: Float, Half");
    EXPECT_EQ(fixOf("tensor 'h' stride mismatch at index 0. expected 4, actual 1"),
              "give h the same memory layout at every call (contiguous() before it, or none); seen: 4, 1");
    EXPECT_EQ(fixOf("tensor 'h' rank mismatch. expected 2, actual 3"),
              "give h the same number of dims at every call (unsqueeze outside); seen: 2, 3");
    EXPECT_EQ(fixOf("len(L['batch']) == 3"), "give batch the same keys and length at every call; seen: 3");
}

TEST(FixText, NamesTheNumber) {
    EXPECT_EQ(fixOf("L['lr'] == 0.5"), "pass lr as a tensor (torch.tensor(lr)); seen: 0.5");
    EXPECT_EQ(fixOf("L['n'] == 5"),
              "pass n as a tensor (torch.tensor(n)), or compile with dynamic=True; seen: 5");
    EXPECT_EQ(fixOf("L['self'].step == 5"),
              "keep self.step as a tensor (register_buffer), or "
              "torch._dynamo.config.allow_unspec_int_on_nn_module = True; seen: 5");
    EXPECT_EQ(fixOf("self.scale == 0.5"), "keep self.scale as a tensor (register_buffer); seen: 0.5");
    EXPECT_EQ(
        fixOf("L['___stack0'] == 3.0"),
        "a number carried over a graph break (___stack0): cure that break, or keep the number in a tensor; "
        "seen: 3.0");
    EXPECT_EQ(fixOf("L['mode'] == 'relu'"),
              "compile one function for each value of mode, or choose by it outside; seen: 'relu'");
}

TEST(FixText, NamesTheObjectAndTheSwitch) {
    EXPECT_EQ(fixOf("___check_obj_id(L['self'].training, 7629888)"),
              "call train() or eval() once before the first call: self.training changes between calls");
    EXPECT_EQ(fixOf("___check_obj_id(L['self'].layers[0], 140001)"),
              "use one object for self.layers[0] instead of a new one at every call or layer");
    EXPECT_EQ(fixOf("GLOBAL_STATE changed: allow_tf32 num_threads "),
              "set it once before the first call; changed: allow_tf32, num_threads");
    EXPECT_EQ(
        fixOf("tensor 'w' size mismatch at index 0. expected 4, actual 5. Guard failed on a parameter, "
              "consider using torch._dynamo.config.force_parameter_static_shapes = False to allow"),
        "torch._dynamo.config.force_parameter_static_shapes = False, so that one graph serves layers of "
        "other sizes (w, dim 0: 4, 5)");
}

TEST(FixText, ShortensManyValues) {
    EXPECT_EQ(valuesText({}), "not said");
    EXPECT_EQ(valuesText({"1", "2", "3", "4", "5", "6"}), "1, 2, 3, 4, 5, 6");
    EXPECT_EQ(valuesText({"1", "2", "3", "4", "5", "6", "9"}), "1, 2, 3, 4 … 9 (7 values)");
}

TEST(FixText, ABreakNamesTheUsersLine) {
    const std::string v = "V0101 10:00:00.000001 77 torch/_dynamo/s.py:1] [0/0] [__graph_breaks] ";
    LogReader reader;
    reader.feed(v + "Graph break in user code at /w/net.py:9\n" + v +
                "Graph Break Reason: Unsupported: Tensor.item\n" + v + "User code traceback:\n" + v +
                "  File \"/w/main.py\", line 3, in g\n" + v + "    f(x)\n" + v +
                "  File \"/w/net.py\", line 9, in f\n" + v + "    s = x.sum().item()\n");
    const auto r = reader.finish();
    ASSERT_EQ(r.breaks.size(), 1u);
    EXPECT_EQ(r.breaks[0].code, "s = x.sum().item()");
    EXPECT_EQ(r.breaks[0].function, "f");
    EXPECT_EQ(r.breaks[0].fixText,
              "/w/net.py:9: keep the value on the tensor (move .item() out of the hot path), or set "
              "torch._dynamo.config.capture_scalar_outputs = True");
}

TEST(FixText, NamesWithBracesStayAsTheyAre) {
    EXPECT_EQ(fixOf("tensor '{values}{dim}' dtype mismatch. expected Float, actual Half"),
              "cast {values}{dim} to one dtype before the call; seen: Float, Half");
}

} // namespace
} // namespace divdet
