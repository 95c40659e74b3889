#include <stdint.h>

enum { LETTERS = 26 };

// counts of 'a'..'z' in a text, four characters a load
__global__ void count_letters(const uint32_t* words, int32_t* counts, uint32_t n_words) {
  const uint32_t step = gridDim.x * blockDim.x;
  for (uint32_t w = blockIdx.x * blockDim.x + threadIdx.x; w < n_words; w += step) {
    uint32_t four = words[w];
#pragma unroll
    for (int b = 0; b < 4; ++b) {
      const int letter = static_cast<int>((four >> (8 * b)) & 0x1fu) - 1;  // upper and lower case alike
      if (letter >= 0 && letter < LETTERS) {
        atomicAdd(counts + letter, 1);
      }
    }
  }
}

void letters(const uint32_t* words, int32_t* counts, uint32_t n_words) {
  count_letters<<<216, 256>>>(words, counts, n_words);
}
