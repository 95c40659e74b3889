// Arrays, textures and surfaces in the driver API.
#include <string>

#include "libraries/driver/driver.hpp"

namespace kernelwright::driver {
namespace {

cudaArray_t arrayOf(CUarray array) { return reinterpret_cast<cudaArray_t>(array); }

/** The runtime's format; with no bits where it has none. */
cudaChannelFormatDesc formatOf(CUarray_format format, unsigned channels) {
  int bits = 0;
  cudaChannelFormatKind kind = cudaChannelFormatKindUnsigned;
  switch (format) {
  case CU_AD_FORMAT_SIGNED_INT8:
    kind = cudaChannelFormatKindSigned;
    [[fallthrough]];
  case CU_AD_FORMAT_UNSIGNED_INT8:
    bits = 8;
    break;
  case CU_AD_FORMAT_SIGNED_INT16:
    kind = cudaChannelFormatKindSigned;
    [[fallthrough]];
  case CU_AD_FORMAT_UNSIGNED_INT16:
    bits = 16;
    break;
  case CU_AD_FORMAT_SIGNED_INT32:
    kind = cudaChannelFormatKindSigned;
    [[fallthrough]];
  case CU_AD_FORMAT_UNSIGNED_INT32:
    bits = 32;
    break;
  case CU_AD_FORMAT_HALF:
  case CU_AD_FORMAT_FLOAT:
    kind = cudaChannelFormatKindFloat;
    bits = format == CU_AD_FORMAT_HALF ? 16 : 32;
    break;
  default:
    tell("the virtual GPU's arrays hold integers of 8, 16 and 32 bits, halves and floats: no array of "
         "format " +
         std::to_string(format));
  }
  const auto of = [&](unsigned channel) { return channels > channel ? bits : 0; };
  return {of(0), of(1), of(2), of(3), kind};
}

CUresult createArray(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR &wanted) {
  if (array == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaChannelFormatDesc format = formatOf(wanted.Format, wanted.NumChannels);
  if (format.x == 0) return CUDA_ERROR_INVALID_VALUE;
  // The flags of both interfaces are the same.
  return resultOf(cudaMalloc3DArray(reinterpret_cast<cudaArray_t *>(array), &format,
                                    {wanted.Width, wanted.Height, wanted.Depth}, wanted.Flags));
}

CUresult resourceOf(cudaResourceDesc &resource, const CUDA_RESOURCE_DESC &given) {
  resource = {};
  switch (given.resType) {
  case CU_RESOURCE_TYPE_ARRAY:
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = arrayOf(given.res.array.hArray);
    return CUDA_SUCCESS;
  case CU_RESOURCE_TYPE_LINEAR: {
    const auto &linear = given.res.linear;
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = pointer(linear.devPtr);
    resource.res.linear.desc = formatOf(linear.format, linear.numChannels);
    resource.res.linear.sizeInBytes = linear.sizeInBytes;
    return CUDA_SUCCESS;
  }
  case CU_RESOURCE_TYPE_PITCH2D: {
    const auto &pitched = given.res.pitch2D;
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = pointer(pitched.devPtr);
    resource.res.pitch2D.desc = formatOf(pitched.format, pitched.numChannels);
    resource.res.pitch2D.width = pitched.width;
    resource.res.pitch2D.height = pitched.height;
    resource.res.pitch2D.pitchInBytes = pitched.pitchInBytes;
    return CUDA_SUCCESS;
  }
  default:
    tell("the virtual GPU has no textures with mipmaps: the program gets CUDA_ERROR_NOT_SUPPORTED");
    return CUDA_ERROR_NOT_SUPPORTED;
  }
}

/** The driver reads integers of up to 16 bits as floats unless it is told otherwise. */
bool readsAsFloats(const cudaResourceDesc &resource, unsigned flags) {
  cudaChannelFormatDesc format = {};
  if (resource.resType == cudaResourceTypeArray)
    cudaGetChannelDesc(&format, resource.res.array.array);
  else
    format =
        resource.resType == cudaResourceTypeLinear ? resource.res.linear.desc : resource.res.pitch2D.desc;
  return (flags & CU_TRSF_READ_AS_INTEGER) == 0 && format.f != cudaChannelFormatKindFloat && format.x < 32;
}

cudaTextureDesc samplingOf(const CUDA_TEXTURE_DESC &given, const cudaResourceDesc &resource) {
  cudaTextureDesc texture = {};
  for (int axis = 0; axis < 3; ++axis)
    texture.addressMode[axis] = static_cast<cudaTextureAddressMode>(given.addressMode[axis]);
  texture.filterMode = static_cast<cudaTextureFilterMode>(given.filterMode);
  texture.readMode =
      readsAsFloats(resource, given.flags) ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  texture.sRGB = (given.flags & CU_TRSF_SRGB) != 0;
  texture.normalizedCoords = (given.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  for (int channel = 0; channel < 4; ++channel)
    texture.borderColor[channel] = given.borderColor[channel];
  return texture;
}

} // namespace

CUresult copyArrays(const CUDA_MEMCPY2D &what) {
  const bool fromArray = what.srcMemoryType == CU_MEMORYTYPE_ARRAY;
  const bool toArray = what.dstMemoryType == CU_MEMORYTYPE_ARRAY;
  const size_t width = what.WidthInBytes;
  if (fromArray && toArray)
    return resultOf(cudaMemcpy2DArrayToArray(arrayOf(what.dstArray), what.dstXInBytes, what.dstY,
                                             arrayOf(what.srcArray), what.srcXInBytes, what.srcY, width,
                                             what.Height, cudaMemcpyDeviceToDevice));
  if (fromArray) {
    const bool toHost = what.dstMemoryType == CU_MEMORYTYPE_HOST;
    const size_t pitch = what.dstPitch == 0 ? width : what.dstPitch;
    char *to = static_cast<char *>(toHost ? what.dstHost : pointer(what.dstDevice));
    return resultOf(cudaMemcpy2DFromArray(to + what.dstY * pitch + what.dstXInBytes, pitch,
                                          arrayOf(what.srcArray), what.srcXInBytes, what.srcY, width,
                                          what.Height, cudaMemcpyDefault));
  }
  const bool fromHost = what.srcMemoryType == CU_MEMORYTYPE_HOST;
  const size_t pitch = what.srcPitch == 0 ? width : what.srcPitch;
  const char *from = static_cast<const char *>(fromHost ? what.srcHost : pointer(what.srcDevice));
  return resultOf(cudaMemcpy2DToArray(arrayOf(what.dstArray), what.dstXInBytes, what.dstY,
                                      from + what.srcY * pitch + what.srcXInBytes, pitch, width, what.Height,
                                      cudaMemcpyDefault));
}

} // namespace kernelwright::driver

using namespace kernelwright;
using namespace kernelwright::driver;

extern "C" {

CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *wanted) {
  if (wanted == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return createArray(array, {wanted->Width, wanted->Height, 0, wanted->Format, wanted->NumChannels, 0});
}

CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *wanted) {
  return wanted == nullptr ? CUDA_ERROR_INVALID_VALUE : createArray(array, *wanted);
}

CUresult cuArrayDestroy(CUarray array) { return resultOf(cudaFreeArray(arrayOf(array))); }

CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *sampling, const CUDA_RESOURCE_VIEW_DESC *view) {
  if (object == nullptr || resource == nullptr || sampling == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (view != nullptr && view->format != CU_RES_VIEW_FORMAT_NONE) {
    tell("the virtual GPU has no textures that view their memory in another format: the program gets "
         "CUDA_ERROR_NOT_SUPPORTED");
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  cudaResourceDesc memory;
  const CUresult result = resourceOf(memory, *resource);
  if (result != CUDA_SUCCESS) return result;
  const cudaTextureDesc texture = samplingOf(*sampling, memory);
  cudaTextureObject_t made = 0;
  const CUresult status = resultOf(cudaCreateTextureObject(&made, &memory, &texture, nullptr));
  *object = made;
  return status;
}

CUresult cuTexObjectDestroy(CUtexObject object) { return resultOf(cudaDestroyTextureObject(object)); }

CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource) {
  if (object == nullptr || resource == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaResourceDesc memory;
  const CUresult result = resourceOf(memory, *resource);
  if (result != CUDA_SUCCESS) return result;
  cudaSurfaceObject_t made = 0;
  const CUresult status = resultOf(cudaCreateSurfaceObject(&made, &memory));
  *object = made;
  return status;
}

CUresult cuSurfObjectDestroy(CUsurfObject object) { return resultOf(cudaDestroySurfaceObject(object)); }

} // extern "C"
