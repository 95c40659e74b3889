//@case {"kernel": "step"}
struct Shape {
  float size;
  __device__ virtual float area() const { return size; }
};
__global__ void step(Shape* shapes, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) shapes[i].size += dt; //@ globalLoadSectors=2048 globalLoadSectorsIdeal=256
}
void run(Shape* shapes, int n, float dt) { step<<<(n + 127) / 128, 128>>>(shapes, n, dt); }
