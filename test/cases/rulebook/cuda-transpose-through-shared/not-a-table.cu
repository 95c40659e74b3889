//@case {"kernel": "cipher"}
__global__ void cipher(const unsigned char* text, const unsigned char* key, const unsigned char* table, unsigned char* out, int n, int shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = table[(text[i] + key[i] + shift) % 251]; //@ globalLoadSectors=8192 globalLoadSectorsIdeal=2048 globalStoreSectors=1024 globalStoreSectorsIdeal=1024
}
void run(const unsigned char* text, const unsigned char* key, const unsigned char* table, unsigned char* out, int n, int shift) { cipher<<<(n + 255) / 256, 256>>>(text, key, table, out, n, shift); }
