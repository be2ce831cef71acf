#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compare/sane_window.h"
#include "session/run_block.h"

namespace divdet {

/// The two sides that end in a comparison: the running block and the opened files.
enum class Side { live, compare };

/// What the window shows, in the order of its menu.
enum class Page { live, compare, advisor, hunt, stages, logs, determinism, triage };
/// The pages that end in a comparison of taps. On the others the side stays that of the page before, and what
/// acts on taps or on a tolerance would act unseen.
inline bool showsTaps(Page page) {
    return page == Page::live || page == Page::compare;
}

/// Settings that need data: a change runs the block again.
struct RunSettings {
    std::string block = "mlp";
    std::map<std::string, std::int64_t> dims; ///< those that differ from the preset's
    std::string inputs = "normal";
    std::uint64_t seed = 0;
    std::uint64_t runNumber = 0; ///< seed of passes that vary from run to run
    std::string device;          ///< empty: the first available one
    ReferenceKind reference = ReferenceKind::fp32;
    std::vector<lower::PassChoice> passes; ///< that are on; some may not fit this block
    JudgeSelection judge;

    /// Asks for the passes that fit only, so that another block does not forget the others.
    BlockRequest request(const Tolerance& tolerance) const;
    /// The settings that ask for this run. Inverse of request(), but for passes that did not fit.
    static RunSettings of(const BlockRequest& request);
};
bool operator==(const RunSettings& a, const RunSettings& b);

/// Settings that need only pixels: a change is answered from the frontiers.
struct ToleranceSettings {
    Tolerance tolerance;
    bool linked = true; ///< atol follows rtol on the path through the presets bf16 and fp32

    friend bool operator==(const ToleranceSettings&, const ToleranceSettings&) = default;
};

/// How opened files are compared; needs data.
struct FileSettings {
    bool squeeze = false;       ///< compare shapes that differ by size-1 dims only
    bool ignoreMissing = false; ///< taps on one side only do not make the verdict incomplete

    friend bool operator==(const FileSettings&, const FileSettings&) = default;
};

/// Everything undo and redo restore.
struct Settings {
    RunSettings run;
    FileSettings files;
    ToleranceSettings live;
    ToleranceSettings compare;
    bool compareAutomatic = true; ///< the files' tolerance is the default preset of their first pair

    ToleranceSettings& tolerance(Side side) { return side == Side::live ? live : compare; }
    const ToleranceSettings& tolerance(Side side) const { return side == Side::live ? live : compare; }

    friend bool operator==(const Settings&, const Settings&) = default;
};

/// In the order of passes.def, so that the same passes give the same request however they were switched on.
std::vector<lower::PassChoice> inPassOrder(std::vector<lower::PassChoice> passes);

/// `tolerance` with a new rtol; atol follows when linked.
ToleranceSettings withRtol(ToleranceSettings settings, double rtol);
/// The same for atol; rtol follows when linked. An atol of 0 gives rtol 0.
ToleranceSettings withAtol(ToleranceSettings settings, double atol);
/// Linking moves atol onto the path; unlinking moves nothing.
ToleranceSettings withLink(ToleranceSettings settings, bool linked);
/// A preset brings its rule, rtol and atol. The link stays on only when the preset lies on its path.
ToleranceSettings withPreset(ToleranceSettings settings, const TolerancePreset& preset);
/// The sane pair, exactly as it was found; on the linked path a linked atol stays linked.
ToleranceSettings withSane(ToleranceSettings settings, const SaneLine& line);
/// The preset that stands exactly at this tolerance; null: none.
const TolerancePreset* presetAt(const Tolerance& tolerance);

} // namespace divdet
