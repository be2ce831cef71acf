#pragma once
#include <string>
#include <vector>

namespace divdet {

/// Depth order of file stems: by the number they end in when all end in one and no two share it
/// (`embed_0`, `attn_1`), else natural order (`000_embed`, `layer2.out` before `layer10.out`).
void sortStems(std::vector<std::string>& stems);

} // namespace divdet
