//@case {"kernel": "head"}
struct Entry { int key; int count; double sum; };
__global__ void head(Entry* entries, const int* keys, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) entries[i].key = keys[i]; //@ globalStoreSectors=512 globalStoreSectorsIdeal=128 globalLoadSectors=128 globalLoadSectorsIdeal=128
}
void run(Entry* entries, const int* keys, int n) { head<<<(n + 127) / 128, 128>>>(entries, keys, n); }
