#pragma once
#include <string>
#include <vector>

#include "lower/pass_choice.h"
#include "lower/pass_info.h"
#include "run/backend.h"
#include "session/run_block.h"
#include "session/session.h"

namespace divdet {

/// What there is, for menus and for `divdet passes|blocks|devices|presets`.
struct BlockInfo {
    std::string id, title, text;
    struct Dim {
        std::string name;
        std::int64_t value; ///< the preset's
    };
    std::vector<Dim> dims;            ///< those that can be chosen
    std::vector<std::string> taps;    ///< in depth order
    std::vector<std::string> outputs; ///< judged by default
};

std::vector<BlockInfo> listBlocks();
std::vector<std::string> listInputKinds();
std::vector<lower::PassInfo> listPasses();
std::vector<run::DeviceInfo> listDevices(const Session& session);

/// Why a pass cannot be used on a block with its preset sizes; empty: it fits.
std::string whyPassDoesNotFit(const std::string& block, const std::string& passId);

/// Why each of these passes cannot be used on the block as requested, with its sizes, norm and activation
/// (its own passes and inputs do not matter); empty: it fits. All are empty for a block that cannot be made:
/// that is no pass's fault, and running it says why.
std::vector<std::string> whyPassesDoNotFit(const BlockRequest& request,
                                           const std::vector<lower::PassChoice>& choices);

/// The passes a live block starts with, those that fit.
std::vector<lower::PassChoice> startPasses(const std::string& block);

} // namespace divdet
