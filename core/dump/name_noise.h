#pragma once
#include <string>
#include <string_view>

namespace divdet {

/// A tap's name without what wrappers and exporters add: components `_orig_mod`, `_fsdp_wrapped_module`,
/// `_checkpoint_wrapped_module`; leading `module`; ONNX's `/` between components and its last component
/// `/Reshape_output_0`; a `:0` at the end. A name that is nothing but noise is kept.
std::string withoutNoise(std::string_view name);

/// ASCII letters in lower case.
std::string foldCase(std::string_view name);

} // namespace divdet
