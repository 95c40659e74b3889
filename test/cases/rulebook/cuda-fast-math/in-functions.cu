//@case {"kernel": "column"}
/* C style: functions, all on one line each */
static __device__ float esat(float t) { return 611.2f * expf(17.67f * (t - 273.16f) / (t - 29.65f)); }  //@ instructions=4000
static __device__ float dew(float t, float rh)
{
    float td = t;
    int it;
    for (it = 0; it < 4; it++) {
        float es = esat(td);
        float a = td - 29.65f;
        td -= (es - rh) / (es / (a * a));  //@ instructions=4000
    }
    return td;
}
__global__ void column(const float *t, const float *rh, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = dew(t[i], rh[i] / 100);  //@ instructions=400
}
