// Streams that keep what is issued to them in a graph instead of doing it.
#pragma once

#include <optional>

#include "graphs/tasks.hpp"

namespace kernelwright {

/** Keeps the task when the stream captures, if it still can. Nothing when it does not capture: then the task
 * is to be done now. */
std::optional<cudaError_t> captured(cudaStream_t stream, const Task &task);
/** True while the stream captures. */
bool isCapturing(cudaStream_t stream);
/**
 * Asked before the program waits for a stream, an event or all there is: what captures has done nothing yet,
 * so that this is an error, and the capture is good for nothing from then on (CUDA Programming Guide,
 * "Prohibited and Unhandled Operations" of stream capture).
 */
cudaError_t waitFor(cudaStream_t stream);
cudaError_t waitFor(cudaEvent_t event);
cudaError_t waitForAll();
/** Asked before memory is allocated, which captures forbid to their own thread, and global ones to all,
 * unless they or the thread are relaxed. */
cudaError_t allowsUnsafe();
/** An event that is recorded in a capturing stream takes the streams that wait for it into the capture. */
void noteRecord(cudaEvent_t event, cudaStream_t stream);
void noteWait(cudaStream_t stream, cudaEvent_t event);
/** What is destroyed captures nothing any more: the next stream or event may get its address. */
void noteDestroyed(cudaStream_t stream);
void noteDestroyed(cudaEvent_t event);

} // namespace kernelwright
