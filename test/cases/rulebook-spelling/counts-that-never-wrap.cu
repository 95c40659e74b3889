//@case {"kernel": "tally"}
__global__ void tally(const unsigned char* bytes, unsigned n, unsigned* counts, int* left, unsigned most) {
  unsigned k = 0u;
  do {
    atomicInc(&counts[bytes[k] >> 2], 0xffffffffu);
    atomicInc(counts + 64, most);
    atomicSub(&left[bytes[k]], 2);
  } while (++k < n);
}
