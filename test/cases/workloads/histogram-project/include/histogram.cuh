#pragma once
#include <algorithm>
#include <cuda_runtime.h>

/// bins[(v - lo) * nbins / (hi - lo)] counts the values v of data, each at least lo and below hi
void launch_histogram(const int* data, int n, unsigned* bins, int nbins, int lo, int hi);
