//@case {"kernel": "running_balance", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["flows", "balance", {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096}}]}}
constexpr int kDays = 256;
__global__ void running_balance(const float* flows, float* balance, int accounts)
{
    __shared__ float lanes[2][kDays];
    const int account = blockIdx.x;
    const int day = threadIdx.x;
    int src = 0, dst = 1;
    lanes[src][day] = flows[account * kDays + day];
    __syncthreads();
    for (int step = 1; step < kDays; step <<= 1) { //@ instructions=9000
        if (day >= step)
            lanes[dst][day] = lanes[src][day] + lanes[src][day - step]; //@ instructions=9000
        else
            lanes[dst][day] = lanes[src][day]; //@ instructions=9000
        __syncthreads(); //@ barriers=1152
        int t = src; src = dst; dst = t;
    }
    balance[account * kDays + day] = lanes[src][day];
}
void run(const float* flows, float* balance, int accounts) {
    running_balance<<<accounts, kDays>>>(flows, balance, accounts);
}
