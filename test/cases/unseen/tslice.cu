/* tslice.cu -- sort shot gathers into time slices for the imaging step.
 *
 * in  : traces  nshot x ntr x nt   (time fastest, as the tape has it)
 * out : slices  nshot x nt x ntr   (receiver fastest)
 * On the way: spherical divergence gain, and a mute above the first break
 * with a linear ramp of `ramp` samples.
 */
#define TR(is, ir, it) (((is) * ntr + (ir)) * nt + (it))
#define SL(is, it, ir) (((is) * nt + (it)) * ntr + (ir))

#define BX 64
#define BT 4

__device__ float mute_weight(int it, int first, float inv_ramp)
{
    float w = (float)(it - first + 1) * inv_ramp;
    return fminf(fmaxf(w, 0.0f), 1.0f);
}

__global__ void sort_to_slices(const float *__restrict__ traces, const float *__restrict__ gain,
                               const int *__restrict__ first_break, float *__restrict__ slices,
                               int ntr, int nt, float inv_ramp)
{
    int ir = blockIdx.x * BX + threadIdx.x;
    int it = blockIdx.y * BT + threadIdx.y;
    int is = blockIdx.z;

    if (ir >= ntr || it >= nt)
        return;

    float a = traces[TR(is, ir, it)];
    float w = mute_weight(it, first_break[is * ntr + ir], inv_ramp);
    slices[SL(is, it, ir)] = a * gain[it] * w;
}

extern "C" void time_slices(const float *traces, const float *gain, const int *first_break, float *slices,
                            int nshot, int ntr, int nt, int ramp)
{
    dim3 threads(BX, BT);
    dim3 blocks((ntr + BX - 1) / BX, (nt + BT - 1) / BT, nshot);

    sort_to_slices<<<blocks, threads>>>(traces, gain, first_break, slices, ntr, nt, 1.0f / (float)(ramp + 1));
}
