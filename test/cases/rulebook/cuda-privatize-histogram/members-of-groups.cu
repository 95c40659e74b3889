//@case {"kernel": "group_by", "launches": []}
typedef unsigned long long u64;

struct Group {
  u64 sum;
  long long squares;
  int lowest;
  unsigned count;
};

__global__ void group_by(const unsigned char* key, const int* value, Group* __restrict__ groups, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int v = value[i];
    atomicAdd(&groups[key[i]].sum, static_cast<u64>(v));  //@ globalAtomics=1000 globalAtomicPasses=8000
    atomicAdd((u64*)&groups[key[i]].squares, (u64)v * v);  //@ globalAtomics=1000 globalAtomicPasses=8000
    atomicMin(&groups[key[i]].lowest, v);  //@ globalAtomics=1000 globalAtomicPasses=8000
    atomicAdd(&groups[key[i]].count, 1u);  //@ globalAtomics=1000 globalAtomicPasses=8000
  }
}

void run(const unsigned char* key, const int* value, Group* groups, int n) {
  group_by<<<432, 256>>>(key, value, groups, n);
}
