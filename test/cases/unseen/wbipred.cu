// Explicit weighted bi-prediction of a whole luma plane (8 bit). Every slice has its own
// weights and offset, slices are runs of complete rows. The pitch is a multiple of 4.
#include <cstdint>

#define LOG2_DENOM 6

struct wp_entry {
    int32_t w0;
    int32_t w1;
    int32_t offset;
};

static __device__ __forceinline__ uint8_t clip_pixel(int v)
{
    return (uint8_t)min(max(v, 0), 255);
}

static __device__ __forceinline__ uint8_t wp(int p0, int p1, const wp_entry &e)
{
    return clip_pixel(((p0 * e.w0 + p1 * e.w1 + (1 << (LOG2_DENOM - 1))) >> LOG2_DENOM) + e.offset);
}

// one block per slice
__global__ void weighted_bipred(const uchar4 *__restrict__ ref0, const uchar4 *__restrict__ ref1,
                                uchar4 *__restrict__ dst, const wp_entry *__restrict__ table,
                                int pitch4, int rows, int slice_rows)
{
    const int first = blockIdx.x * slice_rows;
    const int last = min(first + slice_rows, rows);
    if (first >= rows)
        return;

    const wp_entry e = table[blockIdx.x];
    for (int p = first * pitch4 + threadIdx.x; p < last * pitch4; p += blockDim.x) {
        const uchar4 a = ref0[p];
        const uchar4 b = ref1[p];
        uchar4 o;
        o.x = wp(a.x, b.x, e);
        o.y = wp(a.y, b.y, e);
        o.z = wp(a.z, b.z, e);
        o.w = wp(a.w, b.w, e);
        dst[p] = o;
    }
}

void predict_frame(const uint8_t *ref0, const uint8_t *ref1, uint8_t *dst, const int32_t *weights,
                   int pitch, int rows, int slices)
{
    const int slice_rows = (rows + slices - 1) / slices;

    if (pitch % 4)
        return; /* the frame allocator never does that */
    weighted_bipred<<<slices, 256>>>((const uchar4 *)ref0, (const uchar4 *)ref1, (uchar4 *)dst,
                                     (const wp_entry *)weights, pitch / 4, rows, slice_rows);
}
