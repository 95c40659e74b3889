// Templates, functors and lambdas-free generic code, over several types.
#include <cstdio>
#include <vector>

struct Sum {
  template <typename T> __device__ T operator()(T a, T b) const { return a + b; }
};
struct Greatest {
  template <typename T> __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

template <typename T, int Threads, typename Combine> __global__ void reduce(const T *in, T *out, int count, Combine combine) {
  __shared__ T partial[Threads];
  T value = in[0];
  bool any = false;
  for (int index = threadIdx.x; index < count; index += Threads) {
    value = any ? combine(value, in[index]) : in[index];
    any = true;
  }
  partial[threadIdx.x] = value;
  __syncthreads();
  for (int step = Threads / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) partial[threadIdx.x] = combine(partial[threadIdx.x], partial[threadIdx.x + step]);
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = partial[0];
}

template <typename T, int Threads, typename Combine> T reduced(const std::vector<T> &values, Combine combine) {
  T *in, *out, result;
  cudaMalloc(&in, values.size() * sizeof(T));
  cudaMalloc(&out, sizeof(T));
  cudaMemcpy(in, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  reduce<T, Threads><<<1, Threads>>>(in, out, static_cast<int>(values.size()), combine);
  cudaMemcpy(&result, out, sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  return result;
}

int main() {
  std::vector<int> integers;
  std::vector<double> doubles;
  std::vector<long long> wide;
  for (int index = 1; index <= 1000; ++index) {
    integers.push_back((index * 37) % 1001);
    doubles.push_back(1.0 / index);
    wide.push_back(1LL << (index % 40));
  }
  std::printf("sum %d, greatest %d\n", reduced<int, 64>(integers, Sum()), reduced<int, 128>(integers, Greatest()));
  std::printf("harmonic %.6f, greatest %.1f\n", reduced<double, 256>(doubles, Sum()), reduced<double, 32>(doubles, Greatest()));
  std::printf("wide %lld\n", reduced<long long, 128>(wide, Sum()));
  return cudaGetLastError();
}
