//@case {"kernel": "ladder", "launches": []}
struct Curve {
  int points;
  const float* t;
  const float* rate;
};

struct Book {
  Curve funding;
  int strikes;
  const float* strike;
  float** price;
};

__device__ float discount(const Curve& c, float t) {
  int j = 0;
  while (j + 1 < c.points && c.t[j + 1] < t) ++j;  //@ instructions=40000
  return expf(-c.rate[j] * t);  //@ instructions=9000
}

__global__ void ladder(const Book* __restrict__ book, const float* spot, float expiry, int n) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= n) return;
  const Book& b = *book;
  for (int k = 0; k < b.strikes; ++k) {  //@ instructions=900
    const float years = expiry / 365.0f;  //@ instructions=900
    const float df = discount(b.funding, years);  //@ instructions=900
    const float forward = spot[s] / df;  //@ instructions=900
    b.price[k][s] = df * fmaxf(forward - b.strike[k], 0.0f);  //@ instructions=3000
  }
}

void run(const Book* book, const float* spot, float expiry, int n) {
  ladder<<<(n + 255) / 256, 256>>>(book, spot, expiry, n);
}
