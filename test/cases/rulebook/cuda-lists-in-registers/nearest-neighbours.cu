//@case {"kernel": "knn"}
#define K 8
__global__ void knn(const float3* query, const float3* ref, int* index, float* distance, int queries, int refs) {
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= queries) return;
  float best[K];
  int who[K];
  for (int k = 0; k < K; ++k) { best[k] = 1e30f; who[k] = -1; }
  float3 p = query[q];
  for (int j = 0; j < refs; ++j) {
    float dx = ref[j].x - p.x, dy = ref[j].y - p.y, dz = ref[j].z - p.z;
    float d = dx * dx + dy * dy + dz * dz;
    if (d < best[K - 1]) {
      int pos = K - 1;
      while (pos > 0 && best[pos - 1] > d) {  //@ localRequests=81920
        best[pos] = best[pos - 1];
        who[pos] = who[pos - 1];
        --pos;
      }
      best[pos] = d;
      who[pos] = j;
    }
  }
  for (int k = 0; k < K; ++k) {
    distance[q * K + k] = best[k];
    index[q * K + k] = who[k];
  }
}

void run(const float3* query, const float3* ref, int* index, float* distance, int queries, int refs) {
  knn<<<(queries + 127) / 128, 128>>>(query, ref, index, distance, queries, refs);
}
