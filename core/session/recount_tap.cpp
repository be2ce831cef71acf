#include "session/recount_tap.h"

namespace divdet {

Result<AtTolerance> recountTap(const TapPair& pair, const Tolerance& tolerance, const Progress& progress) {
    if (!pair.load)
        return Error{ErrorCode::notFound, "the elements of this pair are not at hand", pair.name,
                     "open the files again"};
    auto data = pair.load();
    if (!data) return data.error();
    return recount(data->reference.view(), data->candidate.view(), tolerance, progress);
}

} // namespace divdet
