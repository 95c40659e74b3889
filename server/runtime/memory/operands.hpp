// Device memory as the libraries use it: what a library computes is computed by host code of ours, on copies.
#pragma once

#include <functional>

#include "device/runtime.hpp"
#include "memory/transfers.hpp"

namespace kernelwright {

/** Copies rows of device memory (or of memory that host and device share) here, one behind the other. What
 * was never written is no finding. Tells the user of memory that is not there. */
cudaError_t readOperand(void *to, Rows from, Extent extent);
/** Copies packed bytes to rows of device memory. */
cudaError_t writeOperand(Rows to, const void *from, Extent extent);

/**
 * Does a library's work in the order of the stream: now, or with every launch of the graph that captures it.
 * What the work needs of the host has to be in it.
 */
cudaError_t issueWork(cudaStream_t stream, const std::function<cudaError_t()> &work);

} // namespace kernelwright
