//@case {"kernel": "angles"}
struct Sums {
  float cross = 0.0f;
  float energy = 0.0f;

  __device__ void add(float observed, float expected) {
    cross = fmaf(observed, expected, cross);
    energy = fmaf(observed, observed, energy);
  }

  __device__ float angle() const {
    const float root = rsqrtf(energy);
    return acosf(cross * root);
  }
};

class Stock {
 public:
  __device__ explicit Stock(float tons) : tons_(tons) {}
  __device__ void grow(float rate) { tons_ += tons_ * rate; }
  __device__ float biomass() const { return tons_; }

 private:
  float tons_;
};

struct Pair {
  float first;
  float second[2];
};

__device__ float handedOn(const Pair* pair);

__global__ void angles(const float* x, const float* library, float* y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  Sums sums;
  for (int c = 0; c < columns; ++c) sums.add(x[row * columns + c], library[c]);
  Stock stock(x[row]);
  stock.grow(0.5f);
  Pair pair = {1.0f};
  pair.second[1] = stock.biomass();
  Pair kept = {2.0f};
  y[row] = sums.angle() + pair.first + pair.second[1] + handedOn(&kept);
}
