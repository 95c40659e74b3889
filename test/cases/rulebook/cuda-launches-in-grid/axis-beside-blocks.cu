//@case {"kernel": "matvec", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": []}}}, "gaps": 600, "launches": [{"blocks": 1, "threadsPerBlock": 128, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 24, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 400, "terms": {}, "binding": "latency"}}]}
extern "C" __global__ void matvec(const double* A, const double* v, double* y, int m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  double s = 0;
  for (int k = 0; k < n; ++k) s += A[k * m + row] * v[k];
  y[row] = s;
}
void run(const double* A, const double* v, double* y, int batch, int m, int n, int from) {
  for (int b = from; b <= batch; b++)
    matvec<<<(m + 127) / 128, 128>>>(&A[(long)b * m * n], v + b * n, y + b * m, m, n);
}
