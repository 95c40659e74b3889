//@case {"kernel": "mark", "threads": 1}
__device__ int own() { return blockIdx.x; }
__global__ void mark(int* out) {
  out[own()] = own() * 3; //@ instructions=90000 threadInstructions=90000
}
void run(int* out, int n) { mark<<<n, 1>>>(out); }
