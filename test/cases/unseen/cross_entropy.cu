__global__ void crossEntropyLoss(const float* logits, const int* labels, float* loss, int B, int V) {
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= B) return;
  const float* z = logits + (size_t)b * V;
  float m = z[0];
  for (int v = 1; v < V; v++) m = fmaxf(m, z[v]);
  float total = 0.f;
  for (int v = 0; v < V; v++) total += __expf(z[v] - m);
  loss[b] = logf(total) + m - z[labels[b]];
}
void ce(const float* logits, const int* labels, float* loss, int B, int V) {
  crossEntropyLoss<<<(B + 127) / 128, 128>>>(logits, labels, loss, B, V);
}
