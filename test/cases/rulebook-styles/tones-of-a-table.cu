//@case {"kernel": "tones", "rules": ["cuda-constant-base", "cuda-factor-behind-loop", "cuda-fast-math"], "spec": {"launch": {"grid": ["ceil_div(n, 128)"], "block": [128], "arguments": ["level", "pitch", "wave", {"value": "n", "dtype": "int32"}]}, "inputs": {"level": {"dtype": "float32", "shape": ["n"]}, "pitch": {"dtype": "uint32", "shape": ["n"]}}, "outputs": {"wave": {"dtype": "float32", "shape": ["n"]}}, "shapes": [{"sizes": {"n": 4096}}, {"sizes": {"n": 333}}], "reference": "baseline", "tolerance": {"absolute": 1e-4, "relative": 1e-4}}}
#define DECIBEL 20.0f
static const float kTurn = 1.46291808e-9f;

static __device__ float loud(float db)
{
    return powf(10.f, db / DECIBEL);
}

__global__ void tones(const float *level, const unsigned *pitch, float *wave, int n)
{
    int k = threadIdx.x + blockIdx.x * blockDim.x;
    if (k >= n)
        return;
    float sum = 0.0f;
    for (int turn = 1; turn <= 16; ++turn) {
        int phase = (int)(pitch[k] * (unsigned)turn);
        sum += loud(level[k]) * cosf(kTurn * (float)phase) / 7.0f;
    }
    wave[k] = sum;
}
