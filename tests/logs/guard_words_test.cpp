// Reasons that only some versions of torch 2.0 to 2.15 print: whose property it is, and which cause.
#include <gtest/gtest.h>

#include "logs/guard_reason.h"

namespace divdet {
namespace {

using Values = std::vector<std::string>;

struct Words {
    const char* text;
    Cause cause;
    const char* source;
    int dim; ///< -1 for none
    Values values;
};

class GuardWords : public ::testing::TestWithParam<Words> {};

TEST_P(GuardWords, AreUnderstood) {
    const Words& want = GetParam();
    SCOPED_TRACE(want.text);
    const GuardReason got = parseGuardReason(want.text);
    EXPECT_EQ(info(got.cause).name, info(want.cause).name);
    EXPECT_EQ(got.source, want.source);
    EXPECT_EQ(got.dim.value_or(-1), want.dim);
    EXPECT_EQ(got.values, want.values);
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, GuardWords,
    ::testing::Values(
        Words{"3/0: Ne(L['h'].size()[1], 7)", Cause::dynamicShape, "L['h']", 1, {"7"}},
        Words{"Eq(L['h'].size()[1], L['g'].size()[0])", Cause::dynamicShape, "L['h']", 1, {}},
        Words{"Ne(Mod(L['h'].size()[0], 2), 0)", Cause::dynamicShape, "L['h']", 0, {}},
        Words{"(h.size()[0] % 2) != 0", Cause::dynamicShape, "h", 0, {}},
        Words{"8*L['h'].size()[0] <= 64", Cause::dynamicShape, "L['h']", 0, {}},
        Words{"L['a-b'].size()[2] == 6", Cause::dynamicShape, "L['a-b']", 2, {"6"}},
        Words{"h.size()[0] <= 64", Cause::dynamicShape, "h", 0, {}},
        Words{"5 == h.size()[0]", Cause::dynamicShape, "h", 0, {"5"}},
        Words{"h.storage_offset() == 0", Cause::stride, "h", -1, {"0"}},
        Words{"hasattr(L['h'], '_dynamo_dynamic_indices') == False", Cause::dynamicShape, "L['h']", -1, {}},
        Words{"s2.mode == 'sum'", Cause::unknown, "s2.mode", -1, {"'sum'"}}));

INSTANTIATE_TEST_SUITE_P(
    Containers, GuardWords,
    ::testing::Values(
        Words{"set.__contains__(names, 'up')", Cause::key, "names", -1, {"'up'"}},
        Words{"not set.__contains__(names, 'up')", Cause::key, "names", -1, {"'up'"}},
        Words{"set.__len__(names) == 2", Cause::key, "names", -1, {"2"}},
        Words{"names == {'up', 'down'}", Cause::key, "names", -1, {"{'up', 'down'}"}},
        Words{"pads == (1, 2)", Cause::key, "pads", -1, {"(1, 2)"}},
        Words{"L['r'] == range(0, 2)", Cause::key, "L['r']", -1, {"range(0, 2)"}},
        Words{"'up' in names", Cause::key, "names", -1, {"'up'"}},
        Words{"not L['self'].state[L['p']]", Cause::key, "L['self'].state[L['p']]", -1, {}},
        Words{"list(L['d'].keys())[0] == 'up'", Cause::key, "L['d']", -1, {"'up'"}},
        Words{"list(dict.keys(d))[1] == 'up'", Cause::key, "d", -1, {"'up'"}},
        Words{"KeyError on L['d']['up']", Cause::key, "L['d']['up']", -1, {}},
        Words{"IndexError on L['xs'][3]", Cause::key, "L['xs'][3]", -1, {}},
        Words{"___normalize_range_iter(it) == (0, 3, 1)", Cause::key, "it", -1, {"(0, 3, 1)"}},
        Words{"{k for k, v in L['net'].named_parameters()} == {'w'}", Cause::key, "L['net']", -1, {}}));

INSTANTIATE_TEST_SUITE_P(
    Objects, GuardWords,
    ::testing::Values(
        Words{"Duplicate tensors found: [\"L['a']\", \"L['b']\"]", Cause::objectIdentity, "L['a']", -1, {}},
        Words{"Duplicate tensors found: [\"a\", \"b\"]", Cause::objectIdentity, "a", -1, {}},
        Words{"Duplicate tensor found where not expected! L['b']should not alias to anything, but is aliased",
              Cause::objectIdentity,
              "L['b']",
              -1,
              {}},
        Words{"b is a", Cause::objectIdentity, "b", -1, {}},
        Words{"___check_obj_id(L['net'].training, 94001)", Cause::unknown, "L['net'].training", -1, {}},
        Words{"___check_obj_id(net, 94001), type=<class 'app.Net'>", Cause::objectIdentity, "net", -1, {}},
        Words{"___check_type_id(net, 94001), type=<class 'app.Net'>", Cause::type, "net", -1, {}},
        Words{
            "getattr failed on source L['o'].k", Cause::type, "getattr failed on source L['o'].k", -1, {}}));

INSTANTIATE_TEST_SUITE_P(
    Numbers, GuardWords,
    ::testing::Values(
        Words{"__math_isnan(L['s'])", Cause::floatSpecialization, "L['s']", -1, {"nan"}},
        Words{"(type(s) is float and __math_isnan(s))", Cause::floatSpecialization, "s", -1, {"nan"}},
        Words{"n <= 5", Cause::intSpecialization, "n", -1, {}},
        Words{"-9223372036854775808 <= L['n'] <= 5", Cause::intSpecialization, "L['n']", -1, {}},
        Words{"c == (1+2j)", Cause::floatSpecialization, "c", -1, {"(1+2j)"}},
        Words{"s == inf", Cause::floatSpecialization, "s", -1, {"inf"}},
        Words{"int(steps) == 3", Cause::intSpecialization, "steps", -1, {"3"}},
        Words{"str(L['h'].dtype) == 'torch.float32'", Cause::dtype, "L['h']", -1, {"'torch.float32'"}},
        Words{"flag == True", Cause::unknown, "flag", -1, {"True"}},
        Words{"word == 'a == 3'", Cause::unknown, "word", -1, {"'a == 3'"}},
        Words{"self.step == 4   (HINT: torch.compile considers integer attributes of the nn.Module to be "
              "static.)",
              Cause::intSpecialization,
              "self.step",
              -1,
              {"4"}}));

INSTANTIATE_TEST_SUITE_P(
    State, GuardWords,
    ::testing::Values(
        Words{"GLOBAL_STATE changed: autocast ", Cause::ambientState, "GLOBAL_STATE", -1, {"autocast"}},
        Words{"GLOBAL_STATE changed: autocast(cpu)_enabled autocast(cpu)_dtype ",
              Cause::ambientState,
              "GLOBAL_STATE",
              -1,
              {"autocast(cpu)_enabled", "autocast(cpu)_dtype"}},
        Words{"GLOBAL_STATE changed: autocast(cpu)_enabled num_threads ",
              Cause::globalState,
              "GLOBAL_STATE",
              -1,
              {"autocast(cpu)_enabled", "num_threads"}},
        Words{"torch.autograd.forward_ad._current_level == -1",
              Cause::ambientState,
              "torch.autograd.forward_ad._current_level == -1",
              -1,
              {}},
        Words{"torch._functorch.pyfunctorch.compare_functorch_state([])",
              Cause::ambientState,
              "torch._functorch.pyfunctorch.compare_functorch_state([])",
              -1,
              {}}));

} // namespace
} // namespace divdet
