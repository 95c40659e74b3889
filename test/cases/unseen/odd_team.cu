// "One thread for each of the 20 amino acids", a block for each site.
__global__ void profile_scores(const float* freq, const float* bg, float* score, int sites) {
  int site = blockIdx.x, aa = threadIdx.x;
  for (; site < sites; site += gridDim.x)
    score[site * 20 + aa] = __logf((freq[site * 20 + aa] + 0.01f) / bg[aa]);
}
void profile(const float* freq, const float* bg, float* score, int sites) { profile_scores<<<sites, 20>>>(freq, bg, score, sites); }
