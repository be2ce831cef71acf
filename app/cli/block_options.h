#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "cli/metric_options.h"
#include "session/run_block.h"

namespace divdet::cli {

/// A live block with its passes, as typed; shared by run, bisect and stages.
struct BlockOptions {
    BlockRequest base; ///< what needs no reading; the verb takes the block itself
    ToleranceOptions tolerance;
    MetricOptions metric;
    std::vector<std::string> passes, declared, dims;
    std::map<std::string, std::optional<std::int64_t>> namedDims;
    std::string judge, reference = "fp32", gemm, inputs;
    std::optional<double> p;
    bool noPasses = false;

    /// The run that is meant; without --pass the block as the workbench opens it. Errors: usage; of the
    /// device.
    Result<BlockRequest> request(const Session& session) const;

private:
    Status fillDerived(BlockRequest& request, ToleranceOptions& asked) const;
    Status fillPasses(BlockRequest& request) const;
    Status fillDims(BlockRequest& request) const;
};

/// What is run and where: passes, device, sizes, inputs, seed.
void addBlockRun(CLI::App& verb, BlockOptions& options);

/// Every option but the block's name, which stands for itself.
void addBlock(CLI::App& verb, BlockOptions& options);

} // namespace divdet::cli
