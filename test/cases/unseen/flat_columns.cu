// per-channel standardisation of a feature map; the flat number is unrolled pixel by pixel
template <typename real>
__global__ void standardise(const real *features, const real *centre, const real *scale, real *result,
                            int pixels, int channels)
{
    const int count = pixels * channels;
    for (int n = threadIdx.x + blockIdx.x * blockDim.x; n < count; n += blockDim.x * gridDim.x)
    {
        const int pixel = n % pixels;
        const int channel = n / pixels;
        const real value = features[pixel * channels + channel];
        result[pixel * channels + channel] = (value - centre[channel]) * scale[channel];
    }
}

extern "C" void standardise_features(const float *features, const float *centre, const float *scale, float *result,
                                     int pixels, int channels)
{
    const int block = 192;
    standardise<float><<<(pixels * channels + block - 1) / block, block>>>(features, centre, scale, result, pixels, channels);
}
