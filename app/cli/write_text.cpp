#include "cli/write_text.h"

#include <iostream>

#include "cli/cli.h"
#include "dump/atomic_file.h"

namespace divdet::cli {

bool writeText(const std::string& path, std::string_view text) {
    if (path == "-") {
        std::cout << text << std::flush;
        return static_cast<bool>(std::cout);
    }
    AtomicFile file(path);
    Status s = file.open();
    if (s) s = file.write(text);
    if (s) s = file.commit();
    if (!s) fail(s.error());
    return s.ok();
}

} // namespace divdet::cli
