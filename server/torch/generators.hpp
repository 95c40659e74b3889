// Random numbers of the GPU: each of its generators draws from one of the CPU, by a seed and an offset of its
// own.
#pragma once

#include <ATen/core/Generator.h>

namespace kernelwright {

/** The generator of the CPU for one operation with a generator of the GPU, whose state goes on with that; any
 * other generator as it is. */
at::Generator hostGenerator(const at::Generator &generator);
/** The generator that operations use when they are given none. */
const at::Generator &defaultGenerator();
/** The first that is asked for is the default one, so that Python can hold it. */
at::Generator newGenerator();

} // namespace kernelwright
