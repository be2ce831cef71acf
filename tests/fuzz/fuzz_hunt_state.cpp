#include "fuzz/dump_walk.h"
#include "fuzz/scratch.h"
#include "hunt/run_log.h"

// The state file of a hunt that was ended from outside, of five items. What is read goes on: a run is added,
// and the file is read again.

namespace divdet::fuzz {
namespace {

constexpr std::size_t kItems = 5;

void huntState(Input input) {
    using namespace hunt;
    const StateFile state{emptyScratch() / "state.json", true, "f"};
    writeText(state.path, asText(input));
    auto log = RunLog::open(state, kItems);
    if (!log) return checkError(log.error(), input.size());
    ItemSet on(kItems);
    on[1] = on[2] = true;
    // Words of a command may hold any bytes.
    const Outcome outcome{Answer::bad, "exit 3",
                          std::string(asText(input.first(std::min<std::size_t>(input.size(), 40))))};
    const std::size_t before = log->of(on).size();
    require(log->begin(on).ok() && log->end(on, outcome).ok(), "a run is noted");
    require(log->of(on).size() == before + 1 && log->of(on).back().failure == "exit 3", "and found again");
    const auto again = RunLog::open(state, kItems);
    require(again.ok(), "what was written is read: " + (again ? "" : again.error().text()));
    require(again->of(on).size() == before + 1, "with all its runs");
    require(again->resumedRuns() == log->resumedRuns() + (log->killedBy().empty() ? 1 : 2) ||
                log->killedBy() == "none" || log->killedBy() == "1-5",
            "a run that was cut off counts as one");
    require(again->killedBy().empty(), "no run is open");
}

std::string sample(const std::string& runs, const std::string& running = "") {
    return R"({"kind":"divdet hunt","version":1,"fingerprint":"f","items":5,"running":")" + running +
           R"(","runs":[)" + runs + "]}";
}

std::vector<std::string> seeds() {
    const std::string good = R"({"on":"1-2,4","answer":"good","failure":"","text":"exit 0"})",
                      bad = R"({"on":"2-3","answer":"bad","failure":"exit 1","text":"a\u0000b"})",
                      open = R"({"on":"none","answer":"unresolved","failure":"","text":""})";
    return {sample(good + "," + bad + "," + bad),
            sample(open, "1-5"),
            sample("", "2,4-5"),
            sample("", "none"),
            sample(R"({"on":"1-6","answer":"good"})"),
            sample(R"({"on":"2-1","answer":"good"})")};
}

} // namespace
} // namespace divdet::fuzz

DIVDET_FUZZ_TARGET(hunt_state, divdet::fuzz::huntState, divdet::fuzz::seeds)
