//@case {"kernel": "turn"}
#define RE(z, i) z[2 * (i)]
#define IM(z, i) (z)[2 * (i) + 1]
struct point { float x, y; };
template <int N>
__global__ void turn(float* z, point* points, int n) {
  for (int i = N * blockIdx.x + threadIdx.x; i < n; i += gridDim.x * N) {
    point* p = points + i;
    p->x = RE(z, i);
    IM(z, i) = -p->y;
  }
}
void run(float* z, point* points, int n) { turn<64><<<(n + 63) / 64, 64>>>(z, points, n); }
