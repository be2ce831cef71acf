#pragma once
#include <string_view>

#include "dump/file_bytes.h"

namespace divdet {

/// What a file no reader takes probably is, as in "this is …": a gzip file, a Python pickle, … Empty:
/// unknown.
struct ForeignFormat {
    std::string_view what;
    std::string_view hint;
};
ForeignFormat foreignFormat(const FileBytes& file);

} // namespace divdet
