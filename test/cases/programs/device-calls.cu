// Function pointers in a table, recursion, virtual functions and memory that a kernel allocates.
#include <cstdio>

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float side) : side(side) {}
  __device__ float area() const override { return side * side; }
};
struct Circle : Shape {
  float radius;
  __device__ explicit Circle(float radius) : radius(radius) {}
  __device__ float area() const override { return 3 * radius * radius; }
};

__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ int (*const operations[])(int, int) = {add, multiply};

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__global__ void compute(int *numbers, float *areas) {
  const int index = threadIdx.x;
  numbers[index] = operations[index % 2](index, 10) + fibonacci(index);
  Shape *shape = index % 2 ? static_cast<Shape *>(new Square(index)) : new Circle(index);
  areas[index] = shape->area();
  delete shape;
}

int main() {
  const int count = 12;
  int *numbers;
  float *areas;
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);
  cudaMallocManaged(&numbers, count * sizeof(int));
  cudaMallocManaged(&areas, count * sizeof(float));
  compute<<<1, count>>>(numbers, areas);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  for (int index = 0; index < count; ++index) std::printf("%d: %d, %g\n", index, numbers[index], areas[index]);
  return 0;
}
