//@case {"kernel": "flow"}
struct Point { float x, y, z; };
struct Edge { int from, to; };
__global__ void flow(const Point* points, const Edge* edges, float* out, int n) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= n) return;
  const Edge edge = edges[e];  //@ globalLoadRequests=2048 globalLoadSectors=16384 globalLoadSectorsIdeal=16384
  out[e] = points[edge.to].x - points[edge.from].x;  //@ globalLoadSectors=120000 globalLoadSectorsIdeal=16384 globalStoreSectors=8192 globalStoreSectorsIdeal=8192
}
void run(const Point* points, const Edge* edges, float* out, int n) { flow<<<(n + 255) / 256, 256>>>(points, edges, out, n); }
