// Reasons as torch 2.0 to 2.15 word them: what changed, whose, where and from what to what.
#include <gtest/gtest.h>

#include "logs/guard_reason.h"

namespace divdet {
namespace {

using Values = std::vector<std::string>;

struct Reason {
    const char* text;
    Cause cause;
    const char* source;
    int dim; ///< -1 for none
    Values values;
};

class GuardReasons : public ::testing::TestWithParam<Reason> {};

TEST_P(GuardReasons, SayWhatChanged) {
    const Reason& want = GetParam();
    SCOPED_TRACE(want.text);
    const GuardReason got = parseGuardReason(want.text);
    EXPECT_EQ(info(got.cause).name, info(want.cause).name);
    EXPECT_EQ(got.source, want.source);
    EXPECT_EQ(got.dim.value_or(-1), want.dim);
    EXPECT_EQ(got.values, want.values);
}

INSTANTIATE_TEST_SUITE_P(
    Tensors, GuardReasons,
    ::testing::Values(
        Reason{"0/0: tensor 'L['x']' size mismatch at index 1. expected 4, actual 5",
               Cause::dynamicShape,
               "L['x']",
               1,
               {"4", "5"}},
        Reason{"tensor 'h' size mismatch at index 0. expected 4, actual 5. Guard failed on a parameter, "
               "consider using torch._dynamo.config.force_parameter_static_shapes = False to allow dynamism "
               "on parameters.",
               Cause::parameterShape,
               "h",
               0,
               {"4", "5"}},
        Reason{"tensor 'x' strides mismatch at index 0. expected 4, actual 1",
               Cause::stride,
               "x",
               0,
               {"4", "1"}},
        Reason{"!0/3/1: tensor 'x' dtype mismatch. expected Float, actual Half",
               Cause::dtype,
               "x",
               -1,
               {"Float", "Half"}},
        Reason{"tensor 'x' rank mismatch. expected 2, actual 3", Cause::rank, "x", -1, {"2", "3"}},
        Reason{"tensor 'x' Tensor device index mismatch. Expected device index to be 0, actual 1",
               Cause::device,
               "x",
               -1,
               {"0", "1"}},
        Reason{"tensor 'x' requires_grad mismatch. expected requires_grad=0",
               Cause::requiresGrad,
               "x",
               -1,
               {"requires_grad=0"}},
        Reason{"L['x'].dtype == torch.float32", Cause::dtype, "L['x']", -1, {"torch.float32"}},
        Reason{"L['x'].ndim == 2", Cause::rank, "L['x']", -1, {"2"}},
        Reason{"L['x'].size()[1] == 512 (now 537)", Cause::dynamicShape, "L['x']", 1, {"512", "537"}},
        Reason{"2 <= L['x'].size()[0] <= 9     # shape guard", Cause::dynamicShape, "L['x']", 0, {}},
        Reason{"L['x'].stride()[0] == 7", Cause::stride, "L['x']", 0, {"7"}},
        Reason{"Eq(s77, 3)", Cause::dynamicShape, "Eq(s77, 3)", -1, {}},
        Reason{"s0 <= 128", Cause::dynamicShape, "s0 <= 128", -1, {}}));

INSTANTIATE_TEST_SUITE_P(
    State, GuardReasons,
    ::testing::Values(
        Reason{"GLOBAL_STATE changed: grad_mode ", Cause::gradMode, "GLOBAL_STATE", -1, {"grad_mode"}},
        Reason{"GLOBAL_STATE changed: allow_tf32 num_threads ",
               Cause::globalState,
               "GLOBAL_STATE",
               -1,
               {"allow_tf32", "num_threads"}},
        Reason{"___check_global_state()", Cause::globalState, "___check_global_state()", -1, {}},
        Reason{"not ___is_grad_enabled()", Cause::gradMode, "not ___is_grad_enabled()", -1, {}},
        Reason{"___check_torch_function_mode_stack()",
               Cause::ambientState,
               "___check_torch_function_mode_stack()",
               -1,
               {}}));

INSTANTIATE_TEST_SUITE_P(
    Python, GuardReasons,
    ::testing::Values(
        Reason{"0/4: L['n'] == 5    # return x + n  # app.py:3 in f",
               Cause::intSpecialization,
               "L['n']",
               -1,
               {"5"}},
        Reason{"self.scale == -1.5e-05", Cause::floatSpecialization, "self.scale", -1, {"-1.5e-05"}},
        Reason{"L['mode'] == 'relu'", Cause::unknown, "L['mode']", -1, {"'relu'"}},
        Reason{"___check_obj_id(L['m'], 140001)", Cause::objectIdentity, "L['m']", -1, {}},
        Reason{"___check_obj_id(getattr(L['fn'], '__code__', None), 14)",
               Cause::objectIdentity,
               "L['fn']",
               -1,
               {}},
        Reason{"L['fn'].__defaults__[0] == 2", Cause::objectIdentity, "L['fn']", -1, {"2"}},
        Reason{"___guarded_code.valid", Cause::objectIdentity, "___guarded_code.valid", -1, {}},
        Reason{"Cache line invalidated because L['mod'] got deallocated",
               Cause::objectIdentity,
               "L['mod']",
               -1,
               {}},
        Reason{"___check_obj_id(L['y'], 14)     # return x if y is None else x + y  # a.py:7 in f",
               Cause::type,
               "L['y']",
               -1,
               {"None"}},
        Reason{"___check_obj_id(y, 14), type=<class 'NoneType'>", Cause::type, "y", -1, {"None"}},
        Reason{"___check_type_id(L['x'], 94001)", Cause::type, "L['x']", -1, {}},
        Reason{"L['y'] is None", Cause::type, "L['y']", -1, {"None"}},
        Reason{"L['a'] is L['b']", Cause::objectIdentity, "L['a']", -1, {}},
        Reason{"expected type of 'L['x']' to be a tensor type, ' but found <class 'int'>",
               Cause::type,
               "L['x']",
               -1,
               {}},
        Reason{"len(L['xs']) == 3", Cause::key, "L['xs']", -1, {"3"}},
        Reason{"set(L['d'].keys()) == {'a'}", Cause::key, "L['d']", -1, {"{'a'}"}},
        Reason{"list(dict.keys(L['d'])) == ['a', 'b']", Cause::key, "L['d']", -1, {"['a', 'b']"}},
        Reason{"not ___dict_contains('b', L['d'])", Cause::key, "L['d']", -1, {"'b'"}},
        Reason{"'b' in L['d']", Cause::key, "L['d']", -1, {"'b'"}},
        Reason{"___dict_version(L['d']) == 7", Cause::key, "L['d']", -1, {"7"}},
        Reason{"Unable to find recompilation reasons",
               Cause::unknown,
               "Unable to find recompilation reasons",
               -1,
               {}},
        Reason{"", Cause::unknown, "", -1, {}}));

TEST(UserName, IsWhatTheUserTypes) {
    EXPECT_EQ(userName("L['self'].layers[0]"), "self.layers[0]");
    EXPECT_EQ(userName("G['FLAG']"), "FLAG");
    EXPECT_EQ(userName("L['cut"), "L['cut");
    EXPECT_EQ(userName("L['x'] is G['y'] or L['z']"), "x is y or z");
    EXPECT_EQ(userName("L[']"), "L[']");
    EXPECT_EQ(userName("L['']"), "");
}

} // namespace
} // namespace divdet
