// Fisheries: biomass in every cell of the survey grid, explicit daily steps of logistic growth less the catch.
// The rates are the same everywhere.
#include <cuda_runtime.h>

struct Rates
{
    float growth;    // a day, net of the catch
    float crowding;  // a day and ton
};

class Stock
{
public:
    __device__ explicit Stock(float tons) : tons(tons) {}
    __device__ void nextDay(const Rates& rates) { tons += tons * (rates.growth - rates.crowding * tons); }
    __device__ float biomass() const { return tons; }

private:
    float tons;
};

__global__ void advance_stocks(float* biomass, const float* fleet, int cells, int days)
{
    __shared__ Rates rates;
    if (threadIdx.x == 0)
        rates = Rates{fleet[0] - fleet[1], fleet[2]};
    __syncthreads();

    const int cell = blockIdx.x * blockDim.x + threadIdx.x;
    Stock stock(cell < cells ? biomass[cell] : 0.0f);
    for (int day = 0; day < days; ++day) {
        stock.nextDay(rates);
        __syncthreads();  // every cell has reached this day
    }
    if (cell < cells)
        biomass[cell] = stock.biomass();
}

void advanceStocks(float* biomass, const float* fleet, int cells, int days)
{
    const int threads = 256;
    advance_stocks<<<(cells + threads - 1) / threads, threads>>>(biomass, fleet, cells, days);
}
