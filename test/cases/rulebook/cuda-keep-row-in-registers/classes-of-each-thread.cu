//@case {"kernel": "gate", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["s", "o", {"value": "n", "dtype": "int32"}, {"value": "classes", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 512, "classes": 9}}]}}
__global__ void gate(const float* s, float* o, int n, int classes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float most = -INFINITY, sum = 0.f;
  for (int c = 0; c < classes; c++) {
    const int at = c * n + i;
    most = fmaxf(most, s[at]); //@ globalLoadSectors=576 globalLoadRequests=144
  }
  for (int c = 0; c < classes; c++) sum += expf(s[c * n + i] - most); //@ globalLoadSectors=576 globalLoadRequests=144
  for (int c = 0; c < classes; c++) o[c * n + i] = expf(s[c * n + i] - most) / sum; //@ globalLoadSectors=576 globalLoadRequests=144
}
void run(const float* s, float* o, int n, int classes) { gate<<<(n + 127) / 128, 128>>>(s, o, n, classes); }
