#include "entry/kept-things.hpp"

#include <malloc.h>

#include "device/current-device.hpp"

namespace kernelwright {
namespace {

uint64_t takenBytes() {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  const struct mallinfo2 taken = mallinfo2();
  return static_cast<uint64_t>(taken.uordblks) + static_cast<uint64_t>(taken.hblkhd);
#else
  // Counted in 32 bits, or not at all.
  return 0;
#endif
}

} // namespace

protocol::KeptThings keptThings() {
  return {liveThings.events, liveThings.streams, liveThings.graphs, takenBytes(), deviceStrays()};
}

} // namespace kernelwright
