// Discounted return of episodes: time-major rewards, one thread an episode.
__global__ void discounted(const float* reward, const double* gamma, float* ret, int T, int E) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= E) return;
  double total = 0;
  for (int t = 0; t < T; ++t) total += pow(*gamma, (double)t) * reward[t * E + e];
  ret[e] = (float)total;
}
void returns(const float* reward, const double* gamma, float* ret, int T, int E) {
  discounted<<<(E + 127) / 128, 128>>>(reward, gamma, ret, T, E);
}
