// The largest number and where it stands first.
__global__ void largest(const float* x, float* value, int* index, int n) {
  __shared__ float values[128];
  __shared__ int places[128];
  float best = -INFINITY;
  int place = 0x7fffffff;
  for (int i = threadIdx.x; i < n; i += 128)
    if (x[i] > best || (x[i] == best && i < place)) {
      best = x[i];
      place = i;
    }
  values[threadIdx.x] = best;
  places[threadIdx.x] = place;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int t = 1; t < 128; ++t)
    if (values[t] > best || (values[t] == best && places[t] < place)) {
      best = values[t];
      place = places[t];
    }
  *value = best;
  *index = place;
}

void largest_of(const float* x, float* value, int* index, int n) { largest<<<1, 128>>>(x, value, index, n); }
