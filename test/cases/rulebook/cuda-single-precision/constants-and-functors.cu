//@case {"kernel": "grade"}
constexpr double kPi = 3.14159265358979323846;

class Curve {
 public:
  __device__ explicit Curve(float scale) : scale_(scale) {}
  __device__ float operator()(float x) const { return pow(x * 1.5 * scale_, 1.0 / 2.2); }  //@ fp64Instructions=2000

 private:
  float scale_;
};

__device__ float toRadians(float degrees) { return degrees * (kPi / 180.0); }

__global__ void grade(const float* x, float* y, float scale, int n) {
  const Curve curve(scale);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = toRadians(curve(x[i]));  //@ fp64Instructions=1000
}
