#include "run/racing_backend.h"

#include <algorithm>

namespace divdet::run {

void RaceSeen::add(const RaceSeen& more) {
    threads = std::max(threads, more.threads);
    races += more.races;
    overlapping += more.overlapping;
    additions += more.additions;
    retries += more.retries;
}

} // namespace divdet::run
