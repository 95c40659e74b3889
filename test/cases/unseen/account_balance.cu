// Equity curve: running balance of each account (one block per account), double-buffered scan
constexpr int kDays = 256;
__global__ void running_balance(const float* flows, float* balance, int accounts)
{
    __shared__ float lanes[2][kDays];
    const int account = blockIdx.x;
    const int day = threadIdx.x;
    int src = 0, dst = 1;
    lanes[src][day] = flows[account * kDays + day];
    __syncthreads();
    for (int step = 1; step < kDays; step <<= 1) {
        if (day >= step)
            lanes[dst][day] = lanes[src][day] + lanes[src][day - step];
        else
            lanes[dst][day] = lanes[src][day];
        __syncthreads();
        int t = src; src = dst; dst = t;
    }
    balance[account * kDays + day] = lanes[src][day];
}
void run(const float* flows, float* balance, int accounts) {
    running_balance<<<accounts, kDays>>>(flows, balance, accounts);
}
