//@case {"kernel": "chain"}
#include <math.h>
constexpr int kLinks = 6;

// Where the tip of a chain of links is.
__global__ void chain(const float *angles, float *tip, int poses) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= poses) return;
  double heading = 0.0, x = 0.0, y = 0.0;
  for (int link = 0; link < kLinks; ++link) {
    double s, c;
    heading += angles[link * poses + i] * 0.017453292519943295;
    sincos(heading, &s, &c);  //@ fp64Instructions=90000
    x += c;
    y += s;
  }
  tip[i] = x;
  tip[poses + i] = y;
}
