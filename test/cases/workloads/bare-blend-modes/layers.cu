// How a layer is laid over what is below it.
enum Blend { kOver, kAdd, kDarken, kDissolve, kMatte };

__global__ void composeLayers(uchar4 *canvas, const uchar4 *layer, const float *matte,
                              const unsigned *how, size_t pixels) {
    const size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (at < pixels) {
        uchar4 below = canvas[at], above = layer[at];
        const unsigned mode = how[at];
        if (mode == kOver) {
            below = above;
        } else if (mode == kAdd) {
            below.x = min(255, below.x + above.x);
            below.y = min(255, below.y + above.y);
            below.z = min(255, below.z + above.z);
        } else if (mode == kDarken) {
            below.x = min(below.x, above.x);
            below.y = min(below.y, above.y);
            below.z = min(below.z, above.z);
        } else if (mode == kMatte) {
            const float part = fminf(fmaxf(matte[at], 0.f), 1.f);
            below.x = (unsigned char)(below.x + part * (above.x - below.x));
            below.y = (unsigned char)(below.y + part * (above.y - below.y));
            below.z = (unsigned char)(below.z + part * (above.z - below.z));
        }
        canvas[at] = below;
    }
}
