//@case {"kernel": "lengths"}
struct Point { float x, y, z; };
__global__ void lengths(const Point* points, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = points[i].x + points[i].y;  //@ instructions=40000 globalLoadRequests=4096 globalStoreRequests=4096 globalBytesRequested=393216
}

void run(const Point* points, float* out, int n) { lengths<<<(n + 255) / 256, 256>>>(points, out, n); }
