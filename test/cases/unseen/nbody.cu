__global__ void bodyForce(const float *px, const float *py, const float *pz, float *fx, float *fy, float *fz, int n)
{
  int me = blockDim.x * blockIdx.x + threadIdx.x;
  if (me >= n) return;
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int other = 0; other < n; other++) {
    float x = px[other] - px[me];
    float y = py[other] - py[me];
    float z = pz[other] - pz[me];
    float r = rsqrtf(x * x + y * y + z * z + 0.01f);
    float w = r * r * r;
    ax += w * x;
    ay += w * y;
    az += w * z;
  }
  fx[me] = ax;
  fy[me] = ay;
  fz[me] = az;
}
void forces(const float *px, const float *py, const float *pz, float *fx, float *fy, float *fz, int n)
{
  bodyForce<<<(n + 127) / 128, 128>>>(px, py, pz, fx, fy, fz, n);
}
