#pragma once
#include <filesystem>
#include <string>

/// Where things lie for a test. Functions instead of definitions on the command line: an object that holds no
/// path is the same in every preset and checkout, so ccache has it.
namespace divdet::test {

std::filesystem::path sourceFolder(); ///< the project's root
std::filesystem::path sharedFolder(); ///< ../shared beside it; it may be absent

/// The program `divdet` built beside the running test, as the shell takes it.
std::string cliProgram();

} // namespace divdet::test
