// On days with less turnover than the day before the return is that of the price, else none.
__global__ void quiet_returns(const double* price, const float* turnover, double* gain, int days)
{
    for (int day = blockIdx.x * blockDim.x + threadIdx.x; day < days; day += gridDim.x * blockDim.x) {
        double own = 0.0;
        if (day > 0 && turnover[day] < turnover[day - 1]) {
            const double before = fabs(price[day - 1]) + 1.0;
            own = (fabs(price[day]) + 1.0 - before) / before;
        }
        gain[day] = own;
    }
}
