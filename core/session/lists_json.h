#pragma once
#include "report/json_number.h"
#include "session/lists.h"

namespace divdet {

Json passesJson();
Json blocksJson();
Json presetsJson();
Json devicesJson(const Session& session);

} // namespace divdet
