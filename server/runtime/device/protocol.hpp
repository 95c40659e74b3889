// Made of device-protocol.json by `npm run protocols`: change it there.
// clang-format off
#pragma once

#include "device/wire.hpp"

namespace kernelwright::protocol {

constexpr uint32_t version = 1;

struct DeviceFlags {
  static constexpr uint32_t sanitizes = 1;
  static constexpr uint32_t profiles = 2;
};

struct LaunchFlags {
  static constexpr uint32_t cooperative = 1;
  static constexpr uint32_t counted = 2;
  static constexpr uint32_t breaksWhenRefused = 4;
  static constexpr uint32_t triton = 8;
  static constexpr uint32_t sampled = 16;
  static constexpr uint32_t programmatic = 32;
  static constexpr uint32_t largeClusters = 64;
};

struct ImageKinds {
  static constexpr uint32_t texture = 1;
  static constexpr uint32_t surface = 2;
};

struct ImageShapes {
  static constexpr uint32_t linear = 0;
  static constexpr uint32_t oneDimensional = 1;
  static constexpr uint32_t twoDimensional = 2;
  static constexpr uint32_t threeDimensional = 3;
  static constexpr uint32_t layeredOneDimensional = 4;
  static constexpr uint32_t layeredTwoDimensional = 5;
  static constexpr uint32_t cube = 6;
};

struct SamplerFlags {
  static constexpr uint32_t normalized = 1;
  static constexpr uint32_t readsNormalized = 2;
  static constexpr uint32_t srgb = 4;
};

struct TurnEnds {
  static constexpr uint32_t none = 0;
  static constexpr uint32_t returned = 1;
  static constexpr uint32_t raised = 2;
  static constexpr uint32_t crashed = 3;
  static constexpr uint32_t failed = 4;
};

struct TurnFlags {
  static constexpr uint32_t latestStreamFirst = 1;
  static constexpr uint32_t callsTwice = 2;
  static constexpr uint32_t othersFirst = 4;
  static constexpr uint32_t secondDevice = 8;
  static constexpr uint32_t roundedUp = 16;
  static constexpr uint32_t roundedDown = 32;
};

struct DeviceLimits {
  static constexpr uint32_t stackSize = 0;
  static constexpr uint32_t mallocHeapSize = 2;
};

struct Rectangle {
  uint64_t address = 0;
  uint64_t pitch = 0;
  uint64_t width = 0;
  uint64_t height = 0;
};

struct Side {
  uint64_t address = 0;
  uint64_t pitch = 0;
};

struct Triple {
  uint32_t x = 0;
  uint32_t y = 0;
  uint32_t z = 0;
};

struct ImageLayout {
  uint64_t address = 0;
  uint32_t shape = 0;
  uint64_t width = 0;
  uint64_t height = 0;
  uint64_t depth = 0;
  uint64_t pitch = 0;
  uint64_t slice = 0;
  uint32_t channels = 0;
  uint32_t bits = 0;
  uint32_t format = 0;
};

struct SamplerSettings {
  Triple addressing;
  uint32_t filter = 0;
  uint32_t flags = 0;
  uint32_t red = 0;
  uint32_t green = 0;
  uint32_t blue = 0;
  uint32_t alpha = 0;
};

struct SourcePart {
  std::string name;
  std::string ptx;
};

struct KeptThings {
  uint64_t events = 0;
  uint64_t streams = 0;
  uint64_t graphs = 0;
  uint64_t hostBytes = 0;
  uint32_t strays = 0;
};

struct Attribute {
  uint32_t attribute = 0;
  int32_t value = 0;
};

struct ParameterPlace {
  uint32_t offset = 0;
  uint32_t bytes = 0;
};

struct KernelFacts {
  std::string name;
  uint32_t sharedBytes = 0;
  uint32_t localBytes = 0;
  uint32_t registers = 0;
  uint32_t maxThreads = 0;
  std::vector<ParameterPlace> parameters;
};

struct VariableFacts {
  std::string name;
  uint64_t address = 0;
  uint64_t bytes = 0;
  uint32_t isConstant = 0;
};

struct ModuleContent {
  uint64_t module = 0;
  std::vector<KernelFacts> kernels;
  std::vector<VariableFacts> variables;
};

struct LentBuffer {
  uint64_t address = 0;
  uint64_t bytes = 0;
};

struct Word {
  uint64_t value = 0;
};

inline void put(Request &request, const Rectangle &value) {
  request.wide(value.address);
  request.wide(value.pitch);
  request.wide(value.width);
  request.wide(value.height);
}

inline void put(Request &request, const Side &value) {
  request.wide(value.address);
  request.wide(value.pitch);
}

inline void put(Request &request, const Triple &value) {
  request.count(value.x);
  request.count(value.y);
  request.count(value.z);
}

inline void put(Request &request, const ImageLayout &value) {
  request.wide(value.address);
  request.count(value.shape);
  request.wide(value.width);
  request.wide(value.height);
  request.wide(value.depth);
  request.wide(value.pitch);
  request.wide(value.slice);
  request.count(value.channels);
  request.count(value.bits);
  request.count(value.format);
}

inline void put(Request &request, const SamplerSettings &value) {
  put(request, value.addressing);
  request.count(value.filter);
  request.count(value.flags);
  request.count(value.red);
  request.count(value.green);
  request.count(value.blue);
  request.count(value.alpha);
}

inline void put(Request &request, const SourcePart &value) {
  request.text(value.name);
  request.text(value.ptx);
}

inline void put(Request &request, const KeptThings &value) {
  request.wide(value.events);
  request.wide(value.streams);
  request.wide(value.graphs);
  request.wide(value.hostBytes);
  request.count(value.strays);
}

template <typename Element> void putList(Request &request, const std::vector<Element> &values) {
  request.count(static_cast<uint32_t>(values.size()));
  for (const Element &value : values) put(request, value);
}

inline Request helloRequest(uint32_t version) {
  Request request(Operation::hello);
  request.count(version);
  return request;
}

inline Request allocateRequest(uint64_t bytes,
    const std::string &name,
    const std::string &where) {
  Request request(Operation::allocate);
  request.wide(bytes);
  request.text(name);
  request.text(where);
  return request;
}

inline Request freeRequest(uint64_t address,
    const std::string &where) {
  Request request(Operation::free);
  request.wide(address);
  request.text(where);
  return request;
}

inline Request writeRequest(const Rectangle &target,
    uint64_t offset,
    const std::string &where) {
  Request request(Operation::write);
  put(request, target);
  request.wide(offset);
  request.text(where);
  return request;
}

inline Request readRequest(const Rectangle &source,
    const std::string &where) {
  Request request(Operation::read);
  put(request, source);
  request.text(where);
  return request;
}

inline Request fillRequest(const Rectangle &target,
    uint32_t value,
    uint32_t unit,
    const std::string &where) {
  Request request(Operation::fill);
  put(request, target);
  request.count(value);
  request.count(unit);
  request.text(where);
  return request;
}

inline Request copyRequest(const Side &target,
    const Side &source,
    uint64_t width,
    uint64_t height,
    uint32_t direction,
    const std::string &where) {
  Request request(Operation::copy);
  put(request, target);
  put(request, source);
  request.wide(width);
  request.wide(height);
  request.count(direction);
  request.text(where);
  return request;
}

inline Request loadRequest(const std::string &ptx,
    const void *cubin, size_t cubinSize) {
  Request request(Operation::load);
  request.text(ptx);
  request.data(cubin, cubinSize);
  return request;
}

inline Request launchRequest(uint64_t module,
    const std::string &kernel,
    const Triple &grid,
    const Triple &block,
    uint32_t dynamicSharedBytes,
    uint32_t dynamicSharedLimit,
    uint32_t flags,
    const Triple &cluster,
    const std::string &where,
    const void *parameters, size_t parametersSize) {
  Request request(Operation::launch);
  request.wide(module);
  request.text(kernel);
  put(request, grid);
  put(request, block);
  request.count(dynamicSharedBytes);
  request.count(dynamicSharedLimit);
  request.count(flags);
  put(request, cluster);
  request.text(where);
  request.data(parameters, parametersSize);
  return request;
}

inline Request synchronizeRequest(const std::string &where) {
  Request request(Operation::synchronize);
  request.text(where);
  return request;
}

inline Request markRequest() {
  Request request(Operation::mark);
  return request;
}

inline Request occupancyRequest(uint64_t module,
    const std::string &kernel,
    uint32_t threads,
    uint32_t dynamicSharedBytes) {
  Request request(Operation::occupancy);
  request.wide(module);
  request.text(kernel);
  request.count(threads);
  request.count(dynamicSharedBytes);
  return request;
}

inline Request memoryRequest() {
  Request request(Operation::memory);
  return request;
}

inline Request resetRequest() {
  Request request(Operation::reset);
  return request;
}

inline Request elapsedRequest() {
  Request request(Operation::elapsed);
  return request;
}

inline Request limitRequest(uint32_t limit,
    uint64_t value) {
  Request request(Operation::limit);
  request.count(limit);
  request.wide(value);
  return request;
}

inline Request fetchRequest(const Rectangle &source,
    const std::string &where) {
  Request request(Operation::fetch);
  put(request, source);
  request.text(where);
  return request;
}

inline Request tellRequest(const std::string &message,
    const std::string &where) {
  Request request(Operation::tell);
  request.text(message);
  request.text(where);
  return request;
}

inline Request misuseRequest(const std::string &message,
    const std::string &where) {
  Request request(Operation::misuse);
  request.text(message);
  request.text(where);
  return request;
}

inline Request imageRequest(uint32_t kind,
    const ImageLayout &layout,
    const SamplerSettings *sampler,
    const std::string &where) {
  Request request(Operation::image);
  request.count(kind);
  put(request, layout);
  if (sampler != nullptr) put(request, *sampler);
  request.text(where);
  return request;
}

inline Request dropRequest(uint32_t kind,
    uint64_t object,
    const std::string &where) {
  Request request(Operation::drop);
  request.count(kind);
  request.wide(object);
  request.text(where);
  return request;
}

inline Request linkRequest(const std::vector<SourcePart> &parts,
    const void *cubin, size_t cubinSize) {
  Request request(Operation::link);
  putList(request, parts);
  request.data(cubin, cubinSize);
  return request;
}

inline Request turnRequest(uint32_t status,
    const std::string &message,
    const std::string &where,
    uint64_t hostSteps,
    const KeptThings &kept) {
  Request request(Operation::turn);
  request.count(status);
  request.text(message);
  request.text(where);
  request.wide(hostSteps);
  put(request, kept);
  return request;
}

inline Request refetchRequest(const Rectangle &source,
    const std::string &where) {
  Request request(Operation::refetch);
  put(request, source);
  request.text(where);
  return request;
}

template <typename Element> void takeList(Reply &reply, std::vector<Element> &values);

inline void take(Reply &reply, Attribute &value) {
  value.attribute = static_cast<uint32_t>(reply.count());
  value.value = static_cast<int32_t>(reply.count());
}

inline void take(Reply &reply, ParameterPlace &value) {
  value.offset = static_cast<uint32_t>(reply.count());
  value.bytes = static_cast<uint32_t>(reply.count());
}

inline void take(Reply &reply, KernelFacts &value) {
  value.name = reply.text();
  value.sharedBytes = static_cast<uint32_t>(reply.count());
  value.localBytes = static_cast<uint32_t>(reply.count());
  value.registers = static_cast<uint32_t>(reply.count());
  value.maxThreads = static_cast<uint32_t>(reply.count());
  takeList(reply, value.parameters);
}

inline void take(Reply &reply, VariableFacts &value) {
  value.name = reply.text();
  value.address = static_cast<uint64_t>(reply.wide());
  value.bytes = static_cast<uint64_t>(reply.wide());
  value.isConstant = static_cast<uint32_t>(reply.count());
}

inline void take(Reply &reply, ModuleContent &value) {
  value.module = static_cast<uint64_t>(reply.wide());
  takeList(reply, value.kernels);
  takeList(reply, value.variables);
}

inline void take(Reply &reply, LentBuffer &value) {
  value.address = static_cast<uint64_t>(reply.wide());
  value.bytes = static_cast<uint64_t>(reply.wide());
}

inline void take(Reply &reply, Word &value) {
  value.value = static_cast<uint64_t>(reply.wide());
}

template <typename Element> void takeList(Reply &reply, std::vector<Element> &values) {
  for (uint32_t left = reply.count(); left > 0 && !reply.ended(); --left) {
    values.emplace_back();
    take(reply, values.back());
  }
}

struct HelloReply {
  uint32_t version = 0;
  uint32_t flags = 0;
  std::string name;
  uint64_t memoryBytes = 0;
  uint64_t windowBase = 0;
  uint64_t windowBytes = 0;
  std::vector<Attribute> attributes;
};

inline void take(Reply &reply, HelloReply &value) {
  value.version = static_cast<uint32_t>(reply.count());
  value.flags = static_cast<uint32_t>(reply.count());
  value.name = reply.text();
  value.memoryBytes = static_cast<uint64_t>(reply.wide());
  value.windowBase = static_cast<uint64_t>(reply.wide());
  value.windowBytes = static_cast<uint64_t>(reply.wide());
  takeList(reply, value.attributes);
}

struct AllocateReply {
  uint64_t address = 0;
};

inline void take(Reply &reply, AllocateReply &value) {
  value.address = static_cast<uint64_t>(reply.wide());
}

struct SynchronizeReply {
  std::string printed;
};

inline void take(Reply &reply, SynchronizeReply &value) {
  value.printed = reply.text();
}

struct MarkReply {
  uint64_t wall = 0;
  uint64_t modelled = 0;
  uint64_t sampled = 0;
};

inline void take(Reply &reply, MarkReply &value) {
  value.wall = static_cast<uint64_t>(reply.wide());
  value.modelled = static_cast<uint64_t>(reply.wide());
  value.sampled = static_cast<uint64_t>(reply.wide());
}

struct OccupancyReply {
  uint32_t blocks = 0;
};

inline void take(Reply &reply, OccupancyReply &value) {
  value.blocks = static_cast<uint32_t>(reply.count());
}

struct MemoryReply {
  uint64_t free = 0;
  uint64_t total = 0;
};

inline void take(Reply &reply, MemoryReply &value) {
  value.free = static_cast<uint64_t>(reply.wide());
  value.total = static_cast<uint64_t>(reply.wide());
}

struct ImageReply {
  uint64_t object = 0;
};

inline void take(Reply &reply, ImageReply &value) {
  value.object = static_cast<uint64_t>(reply.wide());
}

struct TurnReply {
  std::vector<LentBuffer> buffers;
  std::vector<Word> arguments;
  uint32_t flags = 0;
};

inline void take(Reply &reply, TurnReply &value) {
  takeList(reply, value.buffers);
  takeList(reply, value.arguments);
  value.flags = static_cast<uint32_t>(reply.count());
}

} // namespace kernelwright::protocol
