//@case {"kernel": "normalize", "launches": [{"kernel": "normalize", "blocks": 12, "threadsPerBlock": 128, "times": 1}], "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": []}}}}
template <typename T>
__global__ void normalize(T* planes, const T* mean, const T* scale, int height, int width)
{
    T* plane = planes + (blockIdx.y * 3 + blockIdx.x) * height * width;
    const T m = mean[blockIdx.y], s = scale[blockIdx.y];
    for (int y = 0; y < height; ++y)
        for (int x = threadIdx.x; x < width; x += blockDim.x)
            plane[y * width + x] = (plane[y * width + x] - m) * s;  //@ instructions=4000
}
void run(float* planes, const float* mean, const float* scale, int h, int w) {
    normalize<float><<<dim3(3, 4), 128>>>(planes, mean, scale, h, w);
}
