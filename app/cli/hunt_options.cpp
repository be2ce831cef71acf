#include "cli/hunt_options.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "hunt/recipe.h"

namespace divdet::cli {
namespace {

Result<double> numberOf(const std::string& text, const char* option, const char* hint) {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || !std::isfinite(value))
        return Error{ErrorCode::usage, fmt::format("'{}' is not a number", text), option, hint};
    return value;
}

/// Items from the recipe, the user's file, or a count.
Status fillItems(hunt::HuntOptions& options, const CommandSettings& s, const hunt::Recipe& recipe) {
    if (!s.items.empty()) {
        if (s.count || recipe.form == hunt::Form::counter)
            return Error{ErrorCode::usage, "a counter has no names", "--items", "leave it out, or --count"};
        auto items = hunt::readItems(s.items);
        if (!items) return items.error();
        options.items = std::move(*items);
        return Done{};
    }
    hunt::Recipe counted = recipe;
    if (s.count) {
        if (recipe.form != hunt::Form::counter)
            return Error{ErrorCode::usage, fmt::format("the recipe {} has names, not a count", recipe.id),
                         "--count", "leave it out"};
        if (*s.count > 1'000'000)
            return Error{ErrorCode::usage, "a count is at most a million", "--count", ""};
        counted.count = *s.count;
    }
    options.items = hunt::itemsOf(counted);
    options.form = recipe.form;
    if (options.items.empty())
        return Error{ErrorCode::usage, "there is nothing to switch", "--items",
                     recipe.id.empty()
                         ? "give the items with --items FILE, how many there are with --count N, "
                           "or a --recipe"
                         : "this recipe needs the names in a file: --items FILE"};
    return Done{};
}

} // namespace

Result<hunt::HuntOptions> HuntSettings::options() const {
    hunt::HuntOptions out;
    out.repeat = repeat;
    out.strict = strict;
    out.anyFailure = anyFailure;
    out.all = all;
    out.state.path = state;
    out.state.resume = resume;
    if (resume && state.empty())
        return Error{ErrorCode::usage, "there is nothing to resume from", "--resume",
                     "name the file that the hunt wrote with --state"};
    if (!confidence.empty()) {
        const bool percent = confidence.ends_with('%');
        const auto value = numberOf(confidence.substr(0, confidence.size() - (percent ? 1 : 0)),
                                    "--confidence", "write 0.99 or 99%");
        if (!value) return value.error();
        out.confidence = percent ? *value / 100 : *value;
    }
    return out;
}

void addHunt(CLI::App& verb, HuntSettings& o) {
    const char* group = "Hunt";
    verb.add_option(
            "--repeat", o.repeat,
            "Runs with everything on, and with everything off, before the hunt, where runs may vary (3)")
        ->check(CLI::Range(1, 1000))
        ->type_name("N")
        ->group(group);
    verb.add_option("--confidence", o.confidence,
                    "Of a hunt whose answers vary: good answers are repeated until it holds (99%)")
        ->type_name("P")
        ->group(group);
    verb.add_flag("--strict", o.strict, "Refuse answers that vary from run to run")->group(group);
    verb.add_flag("--any-failure", o.anyFailure,
                  "A failure of another kind counts as well (a crash for wrong numbers)")
        ->group(group);
    verb.add_flag("--all", o.all, "Go on for further culprits beside the first")->group(group);
    verb.add_option("--state", o.state, "Keeps the runs in FILE, written before each run")
        ->type_name("FILE")
        ->group(group);
    verb.add_flag("--resume", o.resume,
                  "Go on with the hunt in --state, past the run during which it was ended")
        ->group(group);
}

Result<hunt::HuntCommand> CommandSettings::resolve(hunt::HuntOptions& options) const {
    hunt::Recipe known;
    known.unit = "application";
    if (count) known.form = hunt::Form::counter;
    if (!recipe.empty()) {
        auto found = hunt::findRecipe(recipe);
        if (!found) return found.error();
        known = std::move(*found);
    }
    if (auto s = fillItems(options, *this, known); !s) return s.error();
    hunt::inherit(known);
    hunt::HuntCommand out;
    out.command = command;
    out.style = known.style;
    out.environment = known.environment;
    if (!badCodes.empty()) out.rules.badCodes = badCodes;
    if (!failRegex.empty()) {
        auto pattern = hunt::LinePattern::compile(failRegex);
        if (!pattern) return pattern.error();
        out.rules.failPattern = std::move(*pattern);
    }
    if (timeout.empty()) return out;
    const auto seconds = numberOf(timeout, "--timeout", "write seconds, as 600");
    if (!seconds) return seconds.error();
    if (!(*seconds > 0 && *seconds < 1e9))
        return Error{ErrorCode::usage, fmt::format("{} s is no time to wait", timeout), "--timeout",
                     "write seconds, as 600"};
    out.timeout = std::chrono::milliseconds(std::llround(*seconds * 1000));
    return out;
}

void addCommand(CLI::App& verb, CommandSettings& o) {
    const char* group = "Your own command";
    verb.add_option("--cmd", o.command,
                    "A shell command that is run for each set; it finds DIVDET_DISABLED, DIVDET_ENABLED and "
                    "DIVDET_N, and {disabled}, {enabled}, {n}, {last} in its text are filled in")
        ->type_name("CMD")
        ->group(group);
    verb.add_option("--items", o.items, "What can be disabled, one item per line")
        ->type_name("FILE")
        ->group(group);
    verb.add_option("--count", o.count, "A counter: only the first {n} of N applications are made")
        ->check(CLI::PositiveNumber)
        ->type_name("N")
        ->group(group);
    verb.add_option("--recipe", o.recipe,
                    "Items and variables of a known tool; without --cmd it is shown (list: shows all)")
        ->type_name("NAME")
        ->group(group);
    verb.add_option("--bad-code", o.badCodes, "Exit codes that mean bad (1); 0 is good, 125 unresolved")
        ->delimiter(',')
        ->type_name("N,…")
        ->group(group);
    verb.add_option("--fail-regex", o.failRegex, "Bad is what prints a line that matches (as grep -E has it)")
        ->type_name("RE")
        ->group(group);
    verb.add_option("--timeout", o.timeout, "A run that takes more seconds is ended, and is unresolved")
        ->type_name("S")
        ->group(group);
}

} // namespace divdet::cli
