// The one connection of this program to its device.
#pragma once

#include "device/wire.hpp"

namespace kernelwright {

/** Operations of the protocol. */
enum Operation : uint32_t {
  kHello = 1,
  kAllocate = 2,
  kFree = 3,
  kWrite = 4,
  kRead = 5,
  kFill = 6,
  kCopy = 7,
  kLoad = 8,
  kLaunch = 9,
  kSynchronize = 10,
  kMark = 11,
  kOccupancy = 12,
  kMemory = 13,
  kReset = 14,
  kElapsed = 15,
  kLimit = 16,
  kTell = 18,
  kMisuse = 19,
  kImage = 20,
  kDrop = 21,
  kLink = 22,
};

/** Bytes that follow the fields of a request without being copied. */
struct Payload {
  const void *bytes = nullptr;
  size_t size = 0;
};

/** Where the bytes of a reply go instead of into its body, when there are exactly that many. */
struct Target {
  void *bytes = nullptr;
  size_t size = 0;
};

/** Sends a request and waits for its reply. Ends the program when there is no device any more. Safe from
 * several threads. */
Reply exchange(Operation operation, const Request &request, Payload payload = {}, Target target = {});

/** Sends a request without waiting for its reply, which has no body of use. What went wrong shows in
 * `takePosted`. */
void post(Operation operation, const Request &request);

/** Waits for the replies to what was posted: the first failure since the last time, or 0. */
int takePosted();

} // namespace kernelwright
