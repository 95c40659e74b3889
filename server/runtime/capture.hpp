// Streams that keep what is issued to them in a graph instead of doing it.
#pragma once

#include "tasks.hpp"

namespace kernelwright {

/** Keeps the task when the stream captures. False when it does not: then it is to be done now. */
bool captured(cudaStream_t stream, const Task &task);
/** True while the stream captures: what waits or allocates may not be issued to it. */
bool isCapturing(cudaStream_t stream);
/** An event that is recorded in a capturing stream takes the streams that wait for it into the capture. */
void noteRecord(cudaEvent_t event, cudaStream_t stream);
void noteWait(cudaStream_t stream, cudaEvent_t event);
/** What is destroyed captures nothing any more: the next stream or event may get its address. */
void noteDestroyed(cudaStream_t stream);
void noteDestroyed(cudaEvent_t event);

} // namespace kernelwright
