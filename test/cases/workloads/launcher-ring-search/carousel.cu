// At which turn of a carousel each suitcase passes by.
__global__ void turnOf(const long long *carousel, const long long *tags, int *turn, int suitcases, int places) {
  int suitcase = blockIdx.x * blockDim.x + threadIdx.x;
  if (suitcase >= suitcases) return;
  int at = 0;
  for (;;) {
    if (carousel[at] == tags[suitcase]) break;
    at = at + 1 == places ? 0 : at + 1;
  }
  turn[suitcase] = at;
}

cudaError_t claim(const long long *carousel, const long long *tags, int *turn, int suitcases, int places) {
  turnOf<<<(suitcases + 127) / 128, 128>>>(carousel, tags, turn, suitcases, places);
  return cudaGetLastError();
}
