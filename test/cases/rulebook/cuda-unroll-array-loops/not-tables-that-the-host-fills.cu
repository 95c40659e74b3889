//@case {"kernel": "react"}
#define SPECIES 12
#define REACTIONS 20
__constant__ int from_species[REACTIONS] = {0,1,2,3,4,5,6,7,8,9,10,11,0,2,4,6,8,10,1,3};
__constant__ int to_species[REACTIONS] = {1,2,3,4,5,6,7,8,9,10,11,0,5,7,9,11,1,3,6,8};
__global__ void react(float* __restrict__ cells, const float* __restrict__ rate, int cells_count, float dt) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cells_count) return;
  float a[SPECIES], d[SPECIES];  //@ localRequests=4096
  for (int s = 0; s < SPECIES; ++s) {
    a[s] = cells[s * cells_count + c];
    d[s] = 0.0f;
  }
  for (int r = 0; r < REACTIONS; ++r) {
    float flow = rate[r] * a[from_species[r]];
    d[from_species[r]] -= flow;
    d[to_species[r]] += flow;
  }
  for (int s = 0; s < SPECIES; ++s) cells[s * cells_count + c] = a[s] + dt * d[s];
}
void upload(const int* from, const int* to) {
  cudaMemcpyToSymbol(from_species, from, sizeof(from_species));
  cudaMemcpyToSymbol(to_species, to, sizeof(to_species));
}
