//@case {"kernel": "votes", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["choice", "total", {"value": "n", "dtype": "int32"}]}}, "outputs": {"total": {"dtype": "int32", "shape": [12]}}}}
__global__ void votes(const int* choice, int* total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&total[choice[i]], 1);  //@ globalAtomics=1000 globalAtomicPasses=5000
}
