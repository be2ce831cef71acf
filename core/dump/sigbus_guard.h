#pragma once
#include "base/sigbus_guard.h" // where it lives; readers in work elsewhere still look here
