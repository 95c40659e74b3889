// Standardised monthly anomaly of an ensemble, against the climatology of each calendar month.
// Loaded as a module from Python: launched with 256 threads, one per value.

typedef long long i64;

extern "C" __global__ void standardised_anomaly(const float* __restrict__ field,   // month of record, lat, lon
                                                const float* __restrict__ normal,  // calendar month, lat, lon
                                                const float* __restrict__ sigma,   // calendar month, lat, lon
                                                float* __restrict__ anomaly,
                                                i64 n_months, i64 n_lat, i64 n_lon, i64 first_month)
{
    const i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    const i64 plane = n_lat * n_lon;
    if (i >= n_months * plane) return;

    const i64 cell = i % plane;
    const i64 month = (i / plane + first_month) % 12;
    const i64 lat = cell / n_lon;
    const i64 lon = cell % n_lon;

    const i64 reference = (month * n_lat + lat) * n_lon + lon;
    anomaly[i] = (field[i] - normal[reference]) / fmaxf(sigma[reference], 0.05f);
}
