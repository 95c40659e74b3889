//@case {"kernel": "winner"}
struct Match { unsigned cost; int place; };

__global__ void winner(const unsigned short* costs, int* places, int n) {
  __shared__ Match match[256];
  const int d = threadIdx.x;
  match[d].cost = d < n ? costs[blockIdx.x * n + d] : 0xffffffffu;
  match[d].place = d;
  for (int reach = 2; reach <= 256; reach *= 2) {
    __syncthreads();  //@ barriers=512 instructions=20000
    if (d % reach == 0) {
      if (match[d + reach / 2].cost != match[d].cost ? match[d + reach / 2].cost < match[d].cost
                                                    : match[d + reach / 2].place < match[d].place)
        match[d] = match[d + reach / 2];
    }
  }
  if (d == 0) places[blockIdx.x] = match[0].place;
}

void run(const unsigned short* costs, int* places, int n) { winner<<<100, 256>>>(costs, places, n); }
