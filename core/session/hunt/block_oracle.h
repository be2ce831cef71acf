#pragma once
#include "hunt/oracle.h"
#include "session/hunt/bad_when.h"
#include "session/hunt/block_items.h"

namespace divdet {

/// Asks by running a live block with the passes that a set of items leaves. Each repetition of a set is
/// another run number, so that passes that vary do. A crash is the failure `crash: unsupported` or
/// `crash: assertion`, and bad whatever was asked: the hunt keeps to one kind.
class BlockOracle : public hunt::Oracle {
public:
    /// Precondition: `bad` is settled.
    BlockOracle(Session& session, BlockRequest request, BlockItems items, BadWhen bad);

    /// Errors: what no set could get round (a block that cannot be made, an unknown device), and cancelled.
    Result<hunt::Outcome> ask(const hunt::ItemSet& on, std::uint64_t repetition,
                              const Progress& progress) override;
    bool varies() const override { return m_varies; }

    /// The run of a set, to be repeated on its own.
    BlockRequest requestOf(const hunt::ItemSet& on) const;

private:
    Session& m_session;
    BlockRequest m_request;
    BlockItems m_items;
    BadWhen m_bad;
    bool m_varies = false;
};

/// The outcome of a run that ended in an error; nullopt where the error says nothing of the passes.
std::optional<hunt::Outcome> crashOutcome(const Error& error);

} // namespace divdet
