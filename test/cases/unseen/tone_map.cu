#include <cuda_fp16.h>

// Post-processing pass of the renderer: exposure, saturation, the filmic curve and the display's
// encoding, on RGBA frames in half precision. Alpha passes through.

struct __align__(8) HalfColor
{
    __half2 rg;
    __half2 ba;
};

class FilmGrade
{
public:
    __host__ __device__ FilmGrade(float exposure, float saturation) : m_exposure(exposure), m_saturation(saturation) {}

    __device__ HalfColor operator()(const HalfColor& in) const
    {
        const float2 rg = __half22float2(in.rg);
        const float2 ba = __half22float2(in.ba);
        const float r = rg.x * m_exposure;
        const float g = rg.y * m_exposure;
        const float b = ba.x * m_exposure;
        const float luma = 0.2126 * r + 0.7152 * g + 0.0722 * b;

        HalfColor out;
        out.rg = __floats2half2_rn(Curve(Saturate(r, luma)), Curve(Saturate(g, luma)));
        out.ba = __floats2half2_rn(Curve(Saturate(b, luma)), ba.y);
        return out;
    }

private:
    __device__ float Saturate(float channel, float luma) const
    {
        return fmaxf(luma + m_saturation * (channel - luma), 0.0f);
    }

    static __device__ float Curve(float x)
    {
        const float y = (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14);
        return pow(y > 1.0 ? 1.0 : y, 1.0 / 2.2);
    }

    float m_exposure;
    float m_saturation;
};

__global__ void GradeFrame(const HalfColor* source, HalfColor* target, int pixelCount, float exposure, float saturation)
{
    const FilmGrade grade(exposure, saturation);
    const int pixel = blockDim.x * blockIdx.x + threadIdx.x;
    if (pixel < pixelCount)
        target[pixel] = grade(source[pixel]);
}
