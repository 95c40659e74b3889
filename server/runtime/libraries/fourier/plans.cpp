// Plans of cuFFT: made, changed and forgotten.
#include "libraries/fourier/plan.hpp"

#include <map>
#include <mutex>
#include <string>

#include "device/runtime.hpp"

namespace kernelwright::fourier {
namespace {

constexpr int kMostAxes = 3;

struct Plans {
  std::mutex mutex;
  std::map<cufftHandle, Plan> all;
  cufftHandle next = 1;
};

Plans &plans() {
  // Never destroyed: static objects of the program may still use it at the end.
  static auto *kept = new Plans;
  return *kept;
}

/** Sizes as the program gives them, before they are judged. */
struct Wanted {
  std::vector<long long> sizes;
  cufftType type;
  long long batch;
  bool hasLayouts = false;
  Layout input = {};
  Layout output = {};
};

bool isType(cufftType type) {
  for (const cufftType each : {CUFFT_C2C, CUFFT_R2C, CUFFT_C2R, CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D}) {
    if (each == type) return true;
  }
  return false;
}

cufftResult make(const char *function, cufftHandle handle, const Wanted &wanted, size_t *workSize) {
  Plan *plan = planOf(handle);
  if (plan == nullptr) return CUFFT_INVALID_PLAN;
  if (plan->isMade) return refused(function, "the plan is made already", CUFFT_INVALID_PLAN);
  if (!isType(wanted.type))
    return refused(function, "no transform has the type " + std::to_string(wanted.type), CUFFT_INVALID_TYPE);
  for (const long long size : wanted.sizes) {
    if (size < 1) return refused(function, "a size of " + std::to_string(size), CUFFT_INVALID_SIZE);
  }
  if (wanted.batch < 1)
    return refused(function, "a batch of " + std::to_string(wanted.batch), CUFFT_INVALID_SIZE);
  plan->isMade = true;
  plan->type = wanted.type;
  plan->sizes = wanted.sizes;
  plan->batch = wanted.batch;
  plan->hasLayouts = wanted.hasLayouts;
  plan->input = wanted.input;
  plan->output = wanted.output;
  // The work is done on the host.
  if (workSize != nullptr) *workSize = 0;
  return CUFFT_SUCCESS;
}

template <typename Number> struct Many {
  int rank;
  const Number *sizes;
  const Number *inputSizes;
  Number inputStep, inputDistance;
  const Number *outputSizes;
  Number outputStep, outputDistance;
};

template <typename Number> Layout layoutOf(int rank, const Number *sizes, Number step, Number distance) {
  return {step, distance, std::vector<long long>(sizes, sizes + rank)};
}

template <typename Number>
cufftResult makeMany(const char *function, cufftHandle handle, const Many<Number> &many, cufftType type,
                     Number batch, size_t *workSize) {
  if (many.rank < 1 || many.rank > kMostAxes || many.sizes == nullptr)
    return refused(function, std::to_string(many.rank) + " axes", CUFFT_INVALID_VALUE);
  Wanted wanted = {std::vector<long long>(many.sizes, many.sizes + many.rank), type, batch};
  // Without sizes of the arrays, steps and distances do not count.
  wanted.hasLayouts = many.inputSizes != nullptr && many.outputSizes != nullptr;
  if (wanted.hasLayouts) {
    wanted.input = layoutOf(many.rank, many.inputSizes, many.inputStep, many.inputDistance);
    wanted.output = layoutOf(many.rank, many.outputSizes, many.outputStep, many.outputDistance);
  }
  return make(function, handle, wanted, workSize);
}

cufftResult created(cufftHandle *handle, cufftResult made) {
  if (made != CUFFT_SUCCESS) cufftDestroy(*handle);
  return made;
}

cufftResult estimated(size_t *workSize) {
  if (workSize == nullptr) return CUFFT_INVALID_VALUE;
  *workSize = 0;
  return CUFFT_SUCCESS;
}

} // namespace

Plan *planOf(cufftHandle handle) {
  const std::lock_guard<std::mutex> lock(plans().mutex);
  const auto found = plans().all.find(handle);
  return found == plans().all.end() ? nullptr : &found->second;
}

cufftResult refused(const char *function, const std::string &what, cufftResult status) {
  tell(std::string(function) + ": " + what + ": the program gets status " + std::to_string(status) +
       " of cuFFT");
  return status;
}

} // namespace kernelwright::fourier

using namespace kernelwright::fourier;

extern "C" {

cufftResult cufftCreate(cufftHandle *handle) {
  if (handle == nullptr) return CUFFT_INVALID_VALUE;
  const std::lock_guard<std::mutex> lock(plans().mutex);
  *handle = plans().next++;
  plans().all[*handle] = Plan();
  return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle plan) {
  const std::lock_guard<std::mutex> lock(plans().mutex);
  return plans().all.erase(plan) == 1 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t *workSize) {
  return make(__func__, plan, {{nx}, type, batch}, workSize);
}

cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *workSize) {
  return make(__func__, plan, {{nx, ny}, type, 1}, workSize);
}

cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t *workSize) {
  return make(__func__, plan, {{nx, ny, nz}, type, 1}, workSize);
}

cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *inembed, int istride, int idist,
                              int *onembed, int ostride, int odist, cufftType type, int batch,
                              size_t *workSize) {
  const Many<int> many = {rank, n, inembed, istride, idist, onembed, ostride, odist};
  return makeMany(__func__, plan, many, type, batch, workSize);
}

cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long *n, long long *inembed,
                                long long istride, long long idist, long long *onembed, long long ostride,
                                long long odist, cufftType type, long long batch, size_t *workSize) {
  const Many<long long> many = {rank, n, inembed, istride, idist, onembed, ostride, odist};
  return makeMany(__func__, plan, many, type, batch, workSize);
}

cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch) {
  const cufftResult status = cufftCreate(plan);
  return status == CUFFT_SUCCESS ? created(plan, cufftMakePlan1d(*plan, nx, type, batch, nullptr)) : status;
}

cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type) {
  const cufftResult status = cufftCreate(plan);
  return status == CUFFT_SUCCESS ? created(plan, cufftMakePlan2d(*plan, nx, ny, type, nullptr)) : status;
}

cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type) {
  const cufftResult status = cufftCreate(plan);
  return status == CUFFT_SUCCESS ? created(plan, cufftMakePlan3d(*plan, nx, ny, nz, type, nullptr)) : status;
}

cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed, int istride, int idist,
                          int *onembed, int ostride, int odist, cufftType type, int batch) {
  const cufftResult status = cufftCreate(plan);
  if (status != CUFFT_SUCCESS) return status;
  return created(plan, cufftMakePlanMany(*plan, rank, n, inembed, istride, idist, onembed, ostride, odist,
                                         type, batch, nullptr));
}

cufftResult cufftEstimate1d(int, cufftType, int, size_t *workSize) { return estimated(workSize); }
cufftResult cufftEstimate2d(int, int, cufftType, size_t *workSize) { return estimated(workSize); }
cufftResult cufftEstimate3d(int, int, int, cufftType, size_t *workSize) { return estimated(workSize); }
cufftResult cufftEstimateMany(int, int *, int *, int, int, int *, int, int, cufftType, int,
                              size_t *workSize) {
  return estimated(workSize);
}

cufftResult cufftGetSize(cufftHandle handle, size_t *workSize) {
  return planOf(handle) == nullptr ? CUFFT_INVALID_PLAN : estimated(workSize);
}

cufftResult cufftSetWorkArea(cufftHandle plan, void *) {
  return planOf(plan) == nullptr ? CUFFT_INVALID_PLAN : CUFFT_SUCCESS;
}

cufftResult cufftSetAutoAllocation(cufftHandle plan, int) {
  return planOf(plan) == nullptr ? CUFFT_INVALID_PLAN : CUFFT_SUCCESS;
}

cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
  Plan *found = planOf(plan);
  if (found == nullptr) return CUFFT_INVALID_PLAN;
  found->stream = stream;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetVersion(int *version) {
  if (version == nullptr) return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetProperty(libraryPropertyType type, int *value) {
  if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUFFT_INVALID_VALUE;
  const int versions[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
  *value = versions[type];
  return CUFFT_SUCCESS;
}

} // extern "C"
