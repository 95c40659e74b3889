//@case {"kernel": "ns::mix"}
namespace ns {
#define WIDTH 64
template <typename T>
__global__ void mix(const __half* in, T* out, int n) {
  __shared__ __half first[WIDTH][WIDTH], unused;
  __shared__ __half second[16][WIDTH * 2];
  int lane = threadIdx.x;
  second[lane % 16][lane] = in[lane];
  __syncthreads();
  out[lane] = second[lane][threadIdx.y];  //@ sharedWavefronts=160 sharedWavefrontsIdeal=10
}
}
