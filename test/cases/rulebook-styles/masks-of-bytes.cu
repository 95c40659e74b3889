//@case {"kernel": "blend_mask", "rules": ["cuda-vectorize-threads"], "spec": {"entry": {"call": "masks-of-bytes.cu::mix", "arguments": ["base", "mask", "made", {"value": "n", "dtype": "int32"}, {"value": 1, "dtype": "int32"}]}, "inputs": {"base": {"dtype": "uint8", "shape": ["n"]}, "mask": {"dtype": "uint8", "shape": ["n"]}}, "outputs": {"made": {"dtype": "uint8", "shape": ["n"]}}, "shapes": [{"sizes": {"n": 65536}}, {"sizes": {"n": 1027}}, {"sizes": {"n": 5}}], "reference": "baseline"}}
typedef unsigned char byte_t;

template <bool INVERT>
__global__ void blend_mask(const byte_t* base, const byte_t* mask, byte_t* made, int n)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < n) {
        int share = INVERT ? 255 - mask[at] : mask[at];
        made[at] = (byte_t)((base[at] * share + 127) >> 8);
    }
}

void mix(const byte_t* base, const byte_t* mask, byte_t* made, int n, int invert)
{
    const int threads = 128;
    if (invert)
        blend_mask<true><<<(n + threads - 1) / threads, threads>>>(base, mask, made, n);
    else
        blend_mask<false><<<(n + threads - 1) / threads, threads>>>(base, mask, made, n);
}
