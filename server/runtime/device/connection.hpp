// The one connection of this program to its device.
#pragma once

#include "device/protocol.hpp"

namespace kernelwright {

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
Reply exchange(const Request &request, Payload payload = {}, Target target = {});

/** Sends a request and reads the fields of its reply into `fields`; after a failure they are as they were. */
template <typename Fields> int ask(const Request &request, Fields &fields) {
  Reply reply = exchange(request);
  if (reply.status == 0) protocol::take(reply, fields);
  return reply.status;
}

/** Sends a request without waiting for its reply, which has no body of use. What went wrong shows in
 * `takePosted`. */
void post(const Request &request);

/** Waits for the replies to what was posted: the first failure since the last time, or 0. */
int takePosted();

} // namespace kernelwright
