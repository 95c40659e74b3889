//@case {"kernel": "pairs", "spec": {"outputs": {"counts": {"dtype": "uint32", "shape": [256]}}}}
__global__ void pairs(const unsigned char* text, unsigned length, unsigned* counts) {
  const unsigned start = blockIdx.x * blockDim.x + threadIdx.x;
  if (start + 2 > length)
    return;
  const unsigned pair = (text[start] & 15) * 16 + (text[start + 1] & 15);
  atomicAdd(&counts[pair & 255], 1u);  //@ globalAtomics=4096 globalAtomicPasses=16384 globalAtomicLanes=131072
}
void count(const unsigned char* text, unsigned length, unsigned* counts) {
  pairs<<<(length + 127) / 128, 128>>>(text, length, counts);
}
