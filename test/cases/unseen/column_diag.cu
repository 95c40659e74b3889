/*
 * Column diagnostics. The state vector of a column alternates full and half levels:
 *   even index: full level  -> dew point from temperature and relative humidity
 *   odd  index: half level  -> band emission, six window bands, times the emissivity
 * temp: K, frac: relative humidity (full) or emissivity (half)
 */
#define NBANDS 6
#define NITER 4

typedef struct {
    float weight;
    float c1; /* 2hc^2 / lambda^5 */
    float c2; /* hc / (k lambda)  */
} band_t;

__constant__ band_t bands[NBANDS] = {
    {0.9f, 11999.0f, 2284.0f}, {0.8f, 2390.0f, 1654.0f}, {1.7f, 1461.0f, 1499.0f},
    {1.0f, 810.6f, 1332.0f},   {1.0f, 478.6f, 1199.0f},  {1.4f, 229.5f, 1035.0f},
};

/* Bolton (1980), Pa */
static __device__ float esat(float t)
{
    return 611.2f * expf(17.67f * (t - 273.16f) / (t - 29.65f));
}

static __device__ float dew_point(float t, float rh)
{
    float e = rh * esat(t);
    float td = t;
    int it;

    for (it = 0; it < NITER; it++) {
        float es = esat(td);
        float a = td - 29.65f;
        float slope = es * (17.67f * 243.51f) / (a * a);
        td -= (es - e) / slope;
    }
    return td;
}

static __device__ float band_emission(float t, float emissivity)
{
    float sum = 0.0f;
    int b;

    for (b = 0; b < NBANDS; b++)
        sum += bands[b].weight * bands[b].c1 / (expf(bands[b].c2 / t) - 1.0f);
    return emissivity * sum;
}

__global__ void column_diag(const float *__restrict__ temp, const float *__restrict__ frac,
                            float *__restrict__ diag, int nlev, int ncol)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y;
    int i = col * nlev + k;

    if (k >= nlev || col >= ncol)
        return;

    if (k % 2 == 0)
        diag[i] = dew_point(temp[i], frac[i]);
    else
        diag[i] = band_emission(temp[i], frac[i]);
}

void run_column_diag(const float *temp, const float *frac, float *diag, int nlev, int ncol)
{
    dim3 threads(128, 1, 1);
    dim3 blocks((nlev + 127) / 128, ncol, 1);

    column_diag<<<blocks, threads>>>(temp, frac, diag, nlev, ncol);
}
