//@case {"kernel": "gather"}
struct Graph { const int* first; const int* to; const float* weight; int nodes; };
__global__ void gather(Graph g, const float* __restrict__ x, float* __restrict__ y) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= g.nodes) return;
  float sum = 0.0f;
  for (int e = g.first[node]; e < g.first[node + 1]; ++e) {  //@ instructions=9000 threadInstructions=90000 divergentBranches=90
    sum += g.weight[e] * x[g.to[e]];  //@ instructions=9000 threadInstructions=90000 globalLoadSectors=8000 globalLoadSectorsIdeal=7000
  }
  y[node] = sum;
}
void run(Graph g, const float* x, float* y) { gather<<<(g.nodes + 127) / 128, 128>>>(g, x, y); }
