//@case {"kernel": "blend"}
template <typename T, int BLOCK>
__global__ void blend(T* out, const T* in, unsigned count)
{
  unsigned thread = threadIdx.x;
  unsigned lane = thread % 32u;
  for (unsigned k = blockIdx.x * BLOCK + thread; k < count; k += gridDim.x * BLOCK) {
    if (lane < 16) {  //@ divergentBranches=64 branches=64
      out[k] = exp2f(in[k]);
    } else {
      out[k] = log2f(in[k]);
    }
  }
}
void go(float* out, const float* in, unsigned count) { blend<float, 128><<<216, 128>>>(out, in, count); }
