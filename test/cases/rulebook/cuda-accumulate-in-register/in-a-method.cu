//@case {"kernel": "filter"}
class Stage {
 public:
  Stage(const float* in, const float* taps, float* out, int count) : in_(in), taps_(taps), out_(out), count_(count) {}
  __device__ void run(int at) const {
    out_[at] = 0.0f;
    for (int k = 0; k < 24; ++k)
      out_[at] += taps_[k] * in_[at + k];  //@ globalStoreRequests=2400 globalLoadRequests=7200
  }
  __device__ int count() const { return count_; }
 private:
  const float* in_;
  const float* taps_;
  float* out_;
  int count_;
};
__global__ void filter(Stage stage) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < stage.count()) stage.run(at);
}
