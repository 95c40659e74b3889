//@case {"kernel": "page_offsets", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["len", "offset", "page_total", {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096}}]}}
#define PAGE 512
__global__ void page_offsets(const int* len, int* offset, int* page_total, int n) {
  __shared__ int s[PAGE];
  int i = blockIdx.x * PAGE + threadIdx.x;
  s[threadIdx.x] = i < n ? len[i] : 0; //@ instructions=2000
  __syncthreads();

  if (threadIdx.x == 0) {
    int running = 0;
    for (int k = 0; k < PAGE; k++) { //@ instructions=4096
      int v = s[k]; //@ instructions=4096
      s[k] = running; //@ instructions=4096
      running += v; //@ instructions=4096
    }
    page_total[blockIdx.x] = running;
  }
  __syncthreads();
  if (i < n) offset[i] = s[threadIdx.x]; //@ instructions=2000
}
void launch(const int* len, int* offset, int* page_total, int n) {
  page_offsets<<<(n + PAGE - 1) / PAGE, PAGE>>>(len, offset, page_total, n);
}
