extern __device__ bool isEven(int value);
extern __device__ long long ackermannThere(int m, int n);

__device__ bool isOdd(int value) { return value != 0 && isEven(value - 1); }

__device__ long long ackermann(int m, int n) {
  if (m == 0) return n + 1;
  return ackermannThere(m - 1, n == 0 ? 1 : static_cast<int>(ackermannThere(m, n - 1)));
}
