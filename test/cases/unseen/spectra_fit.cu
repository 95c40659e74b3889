// Reduction of a fibre spectrograph: sky subtraction, flat field, flux calibration.
// One block per fibre, the pixels of its trace are shared out among the threads.

typedef double real;

__device__ real calibrated(real counts, real sky, real flat, real response)
{
    return (counts - sky) / flat * response;
}

__global__ void reduce_fibres(const real* raw, const real* sky, const real* flat, const real* response,
                              const real* throughput, real* flux, real* ivar,
                              int npix, real exptime, real readnoise)
{
    const int fibre = blockIdx.x;
    const real thr = throughput[fibre];
    const real rn2 = readnoise * readnoise;

    for (int pix = threadIdx.x; pix < npix; pix += blockDim.x)
    {
        const int at = fibre * npix + pix;
        const real norm = response[pix] / exptime;
        const real gain = norm / flat[at];
        const real f = calibrated(raw[at], thr * sky[pix], flat[at], norm);
        flux[at] = f;
        ivar[at] = 1.0 / (gain * gain * (raw[at] + rn2));
    }
}

void reduce_exposure(const real* raw, const real* sky, const real* flat, const real* response,
                     const real* throughput, real* flux, real* ivar,
                     int nfibre, int npix, real exptime, real readnoise)
{
    reduce_fibres<<<nfibre, 128>>>(raw, sky, flat, response, throughput, flux, ivar, npix, exptime, readnoise);
}
