// Weighted aperture photometry of many stars at once. The cut-outs are stored pixel by pixel,
// cutout[pixel][star], so that neighbouring threads read neighbouring numbers.
#include <cuda_runtime.h>

struct Detector {
    double counts_per_electron;
    double noise2;  // squared read noise in counts
};

__device__ inline double pixel_variance(double counts, const Detector& ccd)
{
    return fabs(counts) * ccd.counts_per_electron + ccd.noise2;
}

__global__ void aperture_flux(const double* cutout, const double* profile, const double* sky,
                              double* flux, double* variance, double* weight_sum,
                              int nstars, int npix, Detector ccd)
{
    int star = blockIdx.x * blockDim.x + threadIdx.x;
    if (star >= nstars) return;

    flux[star] = 0.0;
    variance[star] = 0.0;
    weight_sum[star] = 0.0;
    for (int pix = 0; pix < npix; pix++) {
        double counts = cutout[pix * nstars + star];
        double w = profile[pix];
        flux[star] += w * (counts - sky[star]);
        variance[star] += w * w * pixel_variance(counts, ccd);
        weight_sum[star] += w * w;
    }
    flux[star] /= weight_sum[star];
    variance[star] /= weight_sum[star] * weight_sum[star];
}

void measure_stars(const double* cutout, const double* profile, const double* sky,
                   double* flux, double* variance, double* weight_sum,
                   int nstars, int npix, double gain, double read_noise)
{
    Detector ccd;
    ccd.counts_per_electron = 1.0 / gain;
    ccd.noise2 = read_noise * read_noise / (gain * gain);
    int threads = 128;
    aperture_flux<<<(nstars + threads - 1) / threads, threads>>>(cutout, profile, sky, flux, variance,
                                                                 weight_sum, nstars, npix, ccd);
}
