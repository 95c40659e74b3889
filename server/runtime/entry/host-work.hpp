// How much host code of its own an entry runs.
#pragma once

#include <cstdint>

namespace kernelwright {

/** Basic blocks of host code that threads have passed since the last time; of a thread that still runs, none
 * but the caller's. The same for the same run of the same code, on whatever machine. */
uint64_t takeHostSteps();

} // namespace kernelwright
