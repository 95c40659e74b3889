// Does not compile.
__global__ void kernel(float *data) { data[threadIdx.x] = nothing; }

int main() { return 0; }
