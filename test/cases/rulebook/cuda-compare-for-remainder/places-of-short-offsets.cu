//@case {"kernel": "field"}
// The field of each site of a torus; its links lie in constant memory.
struct Link {
  short dx, dy;
  float weight;
};
struct Torus {
  int columns;
  int rows;
};
__constant__ Link links[64];

__global__ void field(const signed char* spin, float* out, Torus torus, int count) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned y = blockIdx.y;
  if (x >= torus.columns) return;
  float sum = 0.0f;
  for (int j = 0; j < count; j++) {
    int column = (x + links[j].dx + torus.columns) % torus.columns;  //@ instructions=9000
    unsigned row = (y + torus.rows - links[j].dy) % torus.rows;  //@ instructions=9000
    sum += links[j].weight * spin[row * torus.columns + column];
  }
  out[y * torus.columns + x] = sum;
}
