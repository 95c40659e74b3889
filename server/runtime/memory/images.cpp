// Texture and surface objects.
#include <cstring>
#include <map>
#include <mutex>

#include "memory/arrays.hpp"
#include "device/runtime.hpp"
#include "memory/shared-memory.hpp"

namespace kernelwright {
namespace {

enum Kind : uint32_t { kTexture = protocol::ImageKinds::texture, kSurface = protocol::ImageKinds::surface };
enum Shape : uint32_t {
  kLinear = protocol::ImageShapes::linear,
  k1D = protocol::ImageShapes::oneDimensional,
  k2D = protocol::ImageShapes::twoDimensional,
  k3D = protocol::ImageShapes::threeDimensional,
  kLayered1D = protocol::ImageShapes::layeredOneDimensional,
  kLayered2D = protocol::ImageShapes::layeredTwoDimensional,
  kCube = protocol::ImageShapes::cube
};

/** What the program said of an object. */
struct Made {
  Kind kind;
  cudaResourceDesc resource;
  cudaTextureDesc texture;
};

std::mutex imagesMutex;

std::map<uint64_t, Made> &objects() {
  static std::map<uint64_t, Made> all;
  return all;
}

struct Image {
  const void *address;
  Shape shape;
  size_t width, height, depth, pitch, slice;
  cudaChannelFormatDesc format;
};

Image imageOf(const Array &array) {
  const bool layered = (array.flags & cudaArrayLayered) != 0;
  const Shape shape = (array.flags & cudaArrayCubemap) != 0 ? kCube
                      : layered                 ? (array.extent.height == 0 ? kLayered1D : kLayered2D)
                      : array.extent.depth > 0  ? k3D
                      : array.extent.height > 0 ? k2D
                                                : k1D;
  return {array.address, shape,       array.extent.width,       array.rows,
          array.slices,  array.pitch, array.pitch * array.rows, array.format};
}

/** Where the device has memory that the program names. */
const void *onDevice(const void *pointer) {
  const std::optional<SharedRange> range = sharedAt(pointer);
  if (!range) return pointer;
  return reinterpret_cast<const void *>(
      range->device + static_cast<uint64_t>(static_cast<const char *>(pointer) - range->host));
}

/** Addresses of textures have to be multiples of what cudaMalloc gives. */
constexpr uintptr_t kAlignment = 256;

cudaError_t linearImage(Image &image, const cudaResourceDesc &resource) {
  const auto &linear = resource.res.linear;
  const size_t bytes = texelBytesOf(linear.desc);
  if (bytes == 0 || linear.sizeInBytes < bytes)
    return misused(cudaErrorInvalidValue, "the linear memory of a texture has no element of its format");
  const size_t width = linear.sizeInBytes / bytes;
  image = {onDevice(linear.devPtr), kLinear, width, 1, 1, width * bytes, width * bytes, linear.desc};
  return cudaSuccess;
}

cudaError_t pitchedImage(Image &image, const cudaResourceDesc &resource) {
  const auto &pitched = resource.res.pitch2D;
  const size_t bytes = texelBytesOf(pitched.desc);
  if (bytes == 0 || pitched.width == 0 || pitched.height == 0)
    return misused(cudaErrorInvalidValue, "the pitched memory of a texture has no element of its format");
  const size_t alignment = static_cast<size_t>(device().attribute(cudaDevAttrTexturePitchAlignment));
  if (pitched.pitchInBytes < pitched.width * bytes ||
      (alignment != 0 && pitched.pitchInBytes % alignment != 0)) {
    return misused(cudaErrorInvalidValue, "a pitch of " + std::to_string(pitched.pitchInBytes) +
                                              " bytes is no multiple of " + std::to_string(alignment) +
                                              ", or less than a row");
  }
  image = {onDevice(pitched.devPtr),
           k2D,
           pitched.width,
           pitched.height,
           1,
           pitched.pitchInBytes,
           pitched.pitchInBytes * pitched.height,
           pitched.desc};
  return cudaSuccess;
}

cudaError_t textureImage(Image &image, const cudaResourceDesc &resource) {
  if (resource.resType == cudaResourceTypeMipmappedArray) return lacking("textures with mipmaps");
  if (resource.resType == cudaResourceTypeArray) {
    const Array *array = arrayOf(resource.res.array.array);
    if (array == nullptr) return settle(cudaErrorInvalidValue);
    image = imageOf(*array);
    return cudaSuccess;
  }
  if (resource.resType != cudaResourceTypeLinear && resource.resType != cudaResourceTypePitch2D)
    return settle(cudaErrorInvalidValue);
  const cudaError_t error = resource.resType == cudaResourceTypeLinear ? linearImage(image, resource)
                                                                       : pitchedImage(image, resource);
  if (error != cudaSuccess) return error;
  if (reinterpret_cast<uintptr_t>(image.address) % kAlignment != 0)
    return misused(cudaErrorInvalidValue, "the memory of a texture does not begin at a multiple of " +
                                              std::to_string(kAlignment) + " bytes");
  return cudaSuccess;
}

protocol::ImageLayout layoutOf(const Image &image) {
  const cudaChannelFormatDesc &format = image.format;
  const uint32_t channels = format.y == 0 ? 1 : format.z == 0 ? 2 : 4;
  return {addressOf(image.address),
          image.shape,
          image.width,
          image.height,
          image.depth,
          image.pitch,
          image.slice,
          channels,
          static_cast<uint32_t>(format.x),
          static_cast<uint32_t>(format.f)};
}

uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

protocol::SamplerSettings samplerOf(const cudaTextureDesc &texture) {
  using Flags = protocol::SamplerFlags;
  const bool readsNormalized = texture.readMode == cudaReadModeNormalizedFloat;
  const auto &mode = texture.addressMode;
  const float *border = texture.borderColor;
  return {{static_cast<uint32_t>(mode[0]), static_cast<uint32_t>(mode[1]), static_cast<uint32_t>(mode[2])},
          static_cast<uint32_t>(texture.filterMode),
          (texture.normalizedCoords ? Flags::normalized : 0) |
              (readsNormalized ? Flags::readsNormalized : 0) | (texture.sRGB ? Flags::srgb : 0),
          bitsOf(border[0]),
          bitsOf(border[1]),
          bitsOf(border[2]),
          bitsOf(border[3])};
}

/** Asks the device for an object and remembers what it was made of. A surface has no sampler. */
cudaError_t make(unsigned long long *object, const Image &image, const protocol::SamplerSettings *sampler,
                 const Made &made) {
  protocol::ImageReply reply;
  const int status = ask(protocol::imageRequest(made.kind, layoutOf(image), sampler, callers()), reply);
  if (status != 0) return settle(status);
  *object = reply.object;
  std::lock_guard<std::mutex> lock(imagesMutex);
  objects()[*object] = made;
  return cudaSuccess;
}

/** What an object was made of; null when there is none of the kind. */
const Made *find(unsigned long long object, Kind kind) {
  std::lock_guard<std::mutex> lock(imagesMutex);
  const auto found = objects().find(object);
  return found == objects().end() || found->second.kind != kind ? nullptr : &found->second;
}

cudaError_t destroy(unsigned long long object, Kind kind) {
  device();
  // Kernels before may still use it.
  const cudaError_t error = synchronize();
  if (error != cudaSuccess) return error;
  const Reply reply = exchange(protocol::dropRequest(kind, object, callers()));
  std::lock_guard<std::mutex> lock(imagesMutex);
  if (reply.status == 0) objects().erase(object);
  return settle(reply);
}

template <typename Part> cudaError_t give(Part *to, const Part *from) {
  if (to == nullptr || from == nullptr) return settle(cudaErrorInvalidValue);
  *to = *from;
  return cudaSuccess;
}

} // namespace

void forgetImages() {
  std::lock_guard<std::mutex> lock(imagesMutex);
  objects().clear();
}

} // namespace kernelwright

using namespace kernelwright;

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const cudaResourceDesc *resource,
                                    const cudaTextureDesc *texture, const cudaResourceViewDesc *view) {
  if (object == nullptr || resource == nullptr || texture == nullptr) return settle(cudaErrorInvalidValue);
  if (view != nullptr &&
      (view->format != cudaResViewFormatNone || view->firstLayer != 0 || view->lastLayer != 0))
    return lacking("textures that view their memory in another format");
  device();
  Image image;
  const cudaError_t error = textureImage(image, *resource);
  if (error != cudaSuccess) return error;
  if (image.shape == kCube && texture->normalizedCoords == 0)
    return misused(cudaErrorInvalidValue, "a cubemap texture has no normalized coordinates");
  if (image.shape == kCube && texture->seamlessCubemap != 0)
    return lacking("filters across the edges of a cubemap");
  const protocol::SamplerSettings sampler = samplerOf(*texture);
  return make(object, image, &sampler, {kTexture, *resource, *texture});
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) { return destroy(object, kTexture); }

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource, cudaTextureObject_t object) {
  const Made *made = find(object, kTexture);
  return give(resource, made == nullptr ? nullptr : &made->resource);
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *texture, cudaTextureObject_t object) {
  const Made *made = find(object, kTexture);
  return give(texture, made == nullptr ? nullptr : &made->texture);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const cudaResourceDesc *resource) {
  if (object == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray)
    return settle(cudaErrorInvalidValue);
  device();
  const Array *array = arrayOf(resource->res.array.array);
  if (array == nullptr) return settle(cudaErrorInvalidValue);
  if ((array->flags & cudaArraySurfaceLoadStore) == 0)
    return misused(cudaErrorInvalidValue,
                   "the array of a surface was not allocated with cudaArraySurfaceLoadStore");
  return make(object, imageOf(*array), nullptr, {kSurface, *resource, {}});
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) { return destroy(object, kSurface); }

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *resource, cudaSurfaceObject_t object) {
  const Made *made = find(object, kSurface);
  return give(resource, made == nullptr ? nullptr : &made->resource);
}

} // extern "C"
