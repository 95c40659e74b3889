// Plans of cuFFT by data types, and its interface for several GPUs, which there are not.
#include <cufftXt.h>

#include "libraries/fourier/plan.hpp"

namespace kernelwright::fourier {
namespace {

/** Transforms by the types of their numbers. */
struct Typed {
  cudaDataType input;
  cudaDataType output;
  cufftType type;
};

constexpr Typed typedTransforms[] = {
    {CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUFFT_R2C},
    {CUDA_C_32F, CUDA_R_32F, CUFFT_C2R}, {CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
    {CUDA_R_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUFFT_Z2D},
};

cufftResult typeOf(const char *function, cudaDataType input, cudaDataType output, cufftType &type) {
  for (const Typed &each : typedTransforms)
    if (each.input == input && each.output == output) {
      type = each.type;
      return CUFFT_SUCCESS;
    }
  return refused(function, "transforms of 32 and 64 bits are there, none of these types",
                 CUFFT_NOT_SUPPORTED);
}

cufftResult oneGpu(const char *function) {
  return refused(function, "there is one GPU, and this is for several", CUFFT_INVALID_DEVICE);
}

} // namespace
} // namespace kernelwright::fourier

using namespace kernelwright::fourier;

extern "C" {

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long *n, long long *inembed,
                                long long istride, long long idist, cudaDataType inputtype,
                                long long *onembed, long long ostride, long long odist,
                                cudaDataType outputtype, long long batch, size_t *workSize, cudaDataType) {
  cufftType type;
  const cufftResult status = typeOf(__func__, inputtype, outputtype, type);
  if (status != CUFFT_SUCCESS) return status;
  return cufftMakePlanMany64(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch,
                             workSize);
}

cufftResult cufftXtGetSizeMany(cufftHandle plan, int, long long *, long long *, long long, long long,
                               cudaDataType inputtype, long long *, long long, long long,
                               cudaDataType outputtype, long long, size_t *workSize, cudaDataType) {
  cufftType type;
  const cufftResult status = typeOf(__func__, inputtype, outputtype, type);
  return status == CUFFT_SUCCESS ? cufftGetSize(plan, workSize) : status;
}

cufftResult cufftXtExec(cufftHandle handle, void *input, void *output, int direction) {
  const Plan *plan = planOf(handle);
  if (plan == nullptr || !plan->isMade) return CUFFT_INVALID_PLAN;
  const auto single = static_cast<cufftComplex *>(input);
  const auto wide = static_cast<cufftDoubleComplex *>(input);
  switch (plan->type) {
  case CUFFT_R2C:
    return cufftExecR2C(handle, static_cast<cufftReal *>(input), static_cast<cufftComplex *>(output));
  case CUFFT_C2R:
    return cufftExecC2R(handle, single, static_cast<cufftReal *>(output));
  case CUFFT_D2Z:
    return cufftExecD2Z(handle, static_cast<cufftDoubleReal *>(input),
                        static_cast<cufftDoubleComplex *>(output));
  case CUFFT_Z2D:
    return cufftExecZ2D(handle, wide, static_cast<cufftDoubleReal *>(output));
  case CUFFT_Z2Z:
    return cufftExecZ2Z(handle, wide, static_cast<cufftDoubleComplex *>(output), direction);
  default:
    return cufftExecC2C(handle, single, static_cast<cufftComplex *>(output), direction);
  }
}

cufftResult cufftXtSetCallback(cufftHandle, void **, cufftXtCallbackType, void **) {
  return refused(__func__, "functions of the program that load and store are not called",
                 CUFFT_NOT_SUPPORTED);
}

cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType) {
  return planOf(plan) == nullptr ? CUFFT_INVALID_PLAN : CUFFT_SUCCESS;
}

cufftResult cufftXtSetGPUs(cufftHandle, int, int *) { return oneGpu(__func__); }
cufftResult cufftXtMalloc(cufftHandle, cudaLibXtDesc **, cufftXtSubFormat) { return oneGpu(__func__); }
cufftResult cufftXtFree(cudaLibXtDesc *) { return oneGpu(__func__); }
cufftResult cufftXtMemcpy(cufftHandle, void *, void *, cufftXtCopyType) { return oneGpu(__func__); }

cufftResult cufftXtExecDescriptor(cufftHandle, cudaLibXtDesc *, cudaLibXtDesc *, int) {
  return oneGpu(__func__);
}
cufftResult cufftXtExecDescriptorC2C(cufftHandle, cudaLibXtDesc *, cudaLibXtDesc *, int) {
  return oneGpu(__func__);
}
cufftResult cufftXtExecDescriptorZ2Z(cufftHandle, cudaLibXtDesc *, cudaLibXtDesc *, int) {
  return oneGpu(__func__);
}
cufftResult cufftXtExecDescriptorR2C(cufftHandle, cudaLibXtDesc *, cudaLibXtDesc *) {
  return oneGpu(__func__);
}
cufftResult cufftXtExecDescriptorC2R(cufftHandle, cudaLibXtDesc *, cudaLibXtDesc *) {
  return oneGpu(__func__);
}
cufftResult cufftXtExecDescriptorD2Z(cufftHandle, cudaLibXtDesc *, cudaLibXtDesc *) {
  return oneGpu(__func__);
}
cufftResult cufftXtExecDescriptorZ2D(cufftHandle, cudaLibXtDesc *, cudaLibXtDesc *) {
  return oneGpu(__func__);
}

} // extern "C"
