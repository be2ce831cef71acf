#pragma once
/// Everything a user of lowering needs.
#include "lower/lowered.h"
#include "lower/pass_choice.h"
#include "lower/pass_info.h"
#include "lower/stages.h"
