#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/result.h"

namespace divdet {

/// A command of the user's for /bin/sh -c. It comes from the command line alone: no file, saved result or
/// report ever fills it in.
struct ShellCommand {
    std::string command;
    std::vector<std::pair<std::string, std::string>> environment; ///< added to this program's own
    bool withErrors = false; ///< standard error joins standard output; else it stays the caller's
    std::string option;      ///< where the command was given (`--cmd`), for errors
};

/// A running command. It is a process group of its own, and nothing of the group is left when this is
/// destroyed: what still runs gets SIGTERM and a second later SIGKILL. Standard input is empty.
class ShellProcess {
public:
    ShellProcess();
    ~ShellProcess();
    ShellProcess(const ShellProcess&) = delete;
    ShellProcess& operator=(const ShellProcess&) = delete;

    /// Error: io when there is no shell or the command with its environment is too long. Precondition: not
    /// started yet.
    Status start(const ShellCommand& command);

    /// Waits at most some 50 ms for output. Empty: none came; nullopt: there will be none any more.
    std::optional<std::string_view> read();

    /// The shell's exit code once it has ended, 128 + N when signal N ended it, as shells count.
    std::optional<int> ended();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// What a command wrote and how it ended.
struct CommandRun {
    int code = 0;          ///< as ShellProcess::ended; of no meaning after a timeout
    bool timedOut = false; ///< it was ended because it took too long
    std::string output;    ///< of long output the first and the last part, with a line of dots between them
    double seconds = 0;
};

/// Runs a command to its end. A process that it leaves behind holds nothing up: the shell's end is the end.
/// Errors: io when it cannot be started; cancelled.
Result<CommandRun> runShellCommand(const ShellCommand& command,
                                   std::optional<std::chrono::milliseconds> timeout,
                                   const Progress& progress = {});

} // namespace divdet
