// What a harness that is generated around one function of the user's asks of the runtime.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

/** Says that the case before is over (`status` of turnEnds, 0 before the first) and waits for the next one.
 * Gives its arguments, good until the next call. */
const uint64_t *kernelwrightNextCase(uint32_t status, const char *message);

/** The arguments of a call that goes before without waiting, as callers may make one; null where there is
 * none. */
const uint64_t *kernelwrightCallBefore();

/** The call of a case has returned: its caller reads what it left behind the default stream. Where streams
 * run in another order than that of the calls, work that nothing waits for is not done. */
void kernelwrightEndCall();

/** Copies bytes of a lent buffer to the host, whether or not anything was ever written there. */
void kernelwrightFetch(void *target, const void *source, size_t bytes);

/** Copies bytes of the harness's own to device memory. */
void kernelwrightStore(void *target, const void *source, size_t bytes);
}
