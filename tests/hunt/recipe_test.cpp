// Recipes: every file loads, expands, and hides no command.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "hunt/command_oracle.h"
#include "hunt/recipe.h"
#include "paths.h"

namespace divdet::hunt {
namespace {

TEST(Recipes, EveryFileIsInTheProgramAndExpands) {
    std::set<std::string> files, ids;
    for (const auto& entry :
         std::filesystem::directory_iterator(divdet::test::sourceFolder() / "resources" / "recipes"))
        if (entry.path().extension() == ".json") {
            files.insert(entry.path().stem().string());
            std::ifstream in(entry.path());
            const auto r = parseRecipe({std::istreambuf_iterator<char>(in), {}});
            ASSERT_TRUE(r.ok()) << entry.path() << ": " << r.error().text();
        }
    for (Recipe r : recipes()) {
        SCOPED_TRACE(r.id);
        ids.insert(r.id);
        EXPECT_FALSE(r.title.empty() || r.text.empty() || r.example.empty() || r.source.empty());
        std::vector<std::string> items = itemsOf(r);
        if (items.empty()) items = {"layer1", "layer2", "layer3"}; // the user's
        ItemSet on = allOf(items.size());
        on[1] = false;
        if (r.form == Form::counter) std::fill(on.begin() + 1, on.end(), false);
        inherit(r);
        const SetWords words = wordsOf(on, items, r.style);
        bool says = namesItems(r.example) || r.example.find("$DIVDET_DISABLED") != std::string::npos ||
                    r.text.find("DIVDET_DISABLED") != std::string::npos;
        for (const auto& [name, value] : r.environment) {
            const std::string filled = filledIn(value, words);
            EXPECT_EQ(filled.find('{'), std::string::npos) << filled;
            says = says || filled != value;
        }
        EXPECT_TRUE(says) << "nothing in it depends on the set";
        // Names of the recipe can stand in a command.
        for (const std::string& item : r.items) EXPECT_TRUE(plainForShell(item)) << item;
    }
    EXPECT_EQ(files, ids);
    EXPECT_GE(ids.size(), 4u);
}

TEST(Recipes, SayWhatTheToolsDocument) {
    const auto filled = [](const char* id, const char* variable, const ItemSet& on,
                           std::vector<std::string> items = {}) {
        Recipe r = *findRecipe(id);
        inherit(r);
        if (items.empty()) items = itemsOf(r);
        for (const auto& [name, value] : r.environment)
            if (name == variable) return filledIn(value, wordsOf(on, items, r.style));
        return wordsOf(on, items, r.style).disabled;
    };
    ItemSet none = noneOf(1000), six = none;
    std::fill(six.begin(), six.begin() + 6, true);
    EXPECT_EQ(filled("inductor-lowerings", "TORCH_BISECT_MAX", none), "-1");
    EXPECT_EQ(filled("inductor-lowerings", "TORCH_BISECT_MAX", six), "5");
    EXPECT_EQ(filled("inductor-lowerings", "TORCH_BISECT_SUBSYSTEM", six), "lowerings");
    EXPECT_EQ(filled("inductor-lowerings", "TORCH_BISECT_BACKEND", six), "inductor");

    Recipe xla = *findRecipe("xla-hlo-passes");
    ItemSet on = allOf(xla.items.size());
    on[0] = on[1] = false;
    ::setenv("XLA_FLAGS", "--xla_dump_to=x", 1);
    EXPECT_EQ(filled("xla-hlo-passes", "XLA_FLAGS", on),
              "--xla_dump_to=x --xla_disable_hlo_passes=" + xla.items[0] + "," + xla.items[1]);
    ::unsetenv("XLA_FLAGS");
    EXPECT_EQ(filled("xla-hlo-passes", "XLA_FLAGS", allOf(xla.items.size())), "--xla_disable_hlo_passes=");

    EXPECT_EQ(filled("tensorrt-layer-precision", "", {true, false}, {"conv1", "fc2"}), "*:fp16,fc2:fp32");
    EXPECT_EQ(findRecipe("inductor-lowering").error().hint, "did you mean inductor-lowerings?");
}

TEST(Recipes, WhatIsWrongIsNamed) {
    const std::string good =
        R"({"id":"a","title":"b","text":"c","form":"sets","items":["x"],"example":"e","source":"s"})";
    ASSERT_TRUE(parseRecipe(good).ok());
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        text.replace(text.find(from), from.size(), to);
        const auto r = parseRecipe(text);
        return r ? std::string("it loads") : r.error().message;
    };
    EXPECT_NE(changed("\"title\":\"b\",", "").find("'title' is missing"), std::string::npos);
    EXPECT_NE(changed("\"sets\"", "\"bag\"").find("'bag' is no form"), std::string::npos);
    EXPECT_NE(changed("\"sets\"", "\"counter\"").find("count"), std::string::npos);
    EXPECT_NE(changed("[\"x\"]", "[\"x\",\"x\"]").find("twice"), std::string::npos);
    EXPECT_NE(changed("[\"x\"]", "3").find("'items' is no list"), std::string::npos);
    EXPECT_NE(changed("\"id\"", "\"command\":\"rm\",\"id\"").find("'command' means nothing"),
              std::string::npos);
    EXPECT_NE(changed("{", "[").find("no JSON object"), std::string::npos);
}

} // namespace
} // namespace divdet::hunt
