//@case {"kernel": "envelope", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["samples", "env", {"value": "n", "dtype": "int32"}]}}, "shapes": [{"sizes": {"n": 4096}}]}}
__global__ void envelope(const float *samples, float *env, int n)
{
    __shared__ float s[1024];
    const unsigned t = threadIdx.x;
    const int i = blockIdx.x * 1024 + t;
    s[t] = (i < n) ? fabsf(samples[i]) : 0.f;
    __syncthreads();
    for (int d = 1; d < 1024; d += d) { //@ instructions=9000
        float other = s[t]; //@ instructions=9000
        if (t >= d) other = fmaxf(other, s[t - d]); //@ instructions=9000
        __syncthreads(); //@ barriers=1152
        s[t] = other; //@ instructions=9000
        __syncthreads(); //@ barriers=1152
    }
    if (i < n) env[i] = s[t];
}
void launch(const float *samples, float *env, int n) { envelope<<<(n + 1023) / 1024, 1024>>>(samples, env, n); }
