//@case {"kernel": "rank"}
__global__ void rank(const float* score, int* place, int* looked, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int before = 0, turns = 0;
  for (int j = 0; j < count; ++j) {  //@ instructions=9000
    ++turns;
    if (j > i) continue;
    if (score[j] > score[i]) ++before;
  }
  place[i] = before;
  looked[i] = turns;
}
