// Transforms of cuFFT against sums by the definition.
#include <cufft.h>
#include <cufftXt.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Wave = std::complex<double>;

#define CHECK(call)                                              \
  do {                                                           \
    const cufftResult status = (call);                           \
    if (status != CUFFT_SUCCESS) {                               \
      printf("%d: status %d\n", __LINE__, static_cast<int>(status)); \
      exit(1);                                                   \
    }                                                            \
  } while (0)

static double drawn() {
  static unsigned state = 7;
  state = state * 1664525u + 1013904223u;
  return double(state >> 8) / double(1 << 24) - 0.5;
}

template <typename T> struct OnDevice {
  T *at = nullptr;
  size_t count;
  explicit OnDevice(const std::vector<T> &values) : count(values.size()) {
    cudaMalloc(&at, count * sizeof(T));
    cudaMemcpy(at, values.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  }
  std::vector<T> now() const {
    std::vector<T> values(count);
    cudaMemcpy(values.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
  }
};

/** One number of the transform of rows x columns numbers. */
static Wave defined(const std::vector<Wave> &values, int rows, int columns, int row, int column, int sign) {
  Wave sum = 0;
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x)
      sum += values[y * columns + x] * std::polar(1.0, sign * 2 * M_PI * (double(y) * row / rows + double(x) * column / columns));
  }
  return sum;
}

static void say(const char *what, double worst, double allowed) {
  printf("%s: %s\n", what, worst <= allowed ? "right" : "WRONG");
  if (worst > allowed) printf("  off by %g\n", worst);
}

/** Transforms of some length, with a batch of two. */
static double worstOfLength(int length, int direction) {
  std::vector<cufftComplex> given(2 * length);
  std::vector<Wave> exact(2 * length);
  for (int index = 0; index < 2 * length; ++index) {
    given[index] = {float(drawn()), float(drawn())};
    exact[index] = {given[index].x, given[index].y};
  }
  OnDevice<cufftComplex> from(given), to(given);
  cufftHandle plan;
  CHECK(cufftPlan1d(&plan, length, CUFFT_C2C, 2));
  CHECK(cufftExecC2C(plan, from.at, to.at, direction));
  CHECK(cufftDestroy(plan));
  const std::vector<cufftComplex> got = to.now();
  double worst = 0;
  for (int index = 0; index < 2 * length; ++index) {
    const int first = index / length * length;
    const std::vector<Wave> own(exact.begin() + first, exact.begin() + first + length);
    const Wave wanted = defined(own, 1, length, 0, index - first, direction);
    worst = std::fmax(worst, std::abs(wanted - Wave(got[index].x, got[index].y)));
  }
  return worst;
}

/** A real picture there and back, in its own place: rows are padded. */
static void picture() {
  constexpr int rows = 6, columns = 10, padded = 2 * (columns / 2 + 1);
  std::vector<double> given(rows * padded, 99);
  std::vector<Wave> exact(rows * columns);
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column)
      exact[row * columns + column] = given[row * padded + column] = drawn();
  }
  OnDevice<double> place(given);
  cufftHandle there, back;
  CHECK(cufftPlan2d(&there, rows, columns, CUFFT_D2Z));
  CHECK(cufftPlan2d(&back, rows, columns, CUFFT_Z2D));
  CHECK(cufftExecD2Z(there, place.at, reinterpret_cast<cufftDoubleComplex *>(place.at)));
  const std::vector<double> halves = place.now();
  double worst = 0;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column <= columns / 2; ++column) {
      const double *got = &halves[row * padded + 2 * column];
      worst = std::fmax(worst, std::abs(defined(exact, rows, columns, row, column, -1) - Wave(got[0], got[1])));
    }
  }
  say("a real picture", worst, 1e-12);
  CHECK(cufftExecZ2D(back, reinterpret_cast<cufftDoubleComplex *>(place.at), place.at));
  const std::vector<double> got = place.now();
  worst = 0;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column)
      worst = std::fmax(worst, std::fabs(got[row * padded + column] / (rows * columns) - given[row * padded + column]));
  }
  say("the picture again", worst, 1e-13);
}

/** Numbers that lie apart: every third one, two transforms next to each other. */
static void apart() {
  int length = 12, inner = 1;
  std::vector<cufftComplex> given(3 * length, {5, 5});
  std::vector<Wave> exact(length);
  for (int index = 0; index < length; ++index) {
    given[3 * index] = {float(index % 5), float(index % 3)};
    given[3 * index + 1] = given[3 * index];
    exact[index] = {given[3 * index].x, given[3 * index].y};
  }
  OnDevice<cufftComplex> place(given);
  cufftHandle plan;
  CHECK(cufftPlanMany(&plan, 1, &length, &inner, 3, 1, &inner, 3, 1, CUFFT_C2C, 2));
  CHECK(cufftExecC2C(plan, place.at, place.at, CUFFT_FORWARD));
  const std::vector<cufftComplex> got = place.now();
  double worst = 0;
  for (int index = 0; index < 3 * length; ++index) {
    const Wave wanted = index % 3 == 2 ? Wave(5, 5) : defined(exact, 1, length, 0, index / 3, -1);
    worst = std::fmax(worst, std::abs(wanted - Wave(got[index].x, got[index].y)));
  }
  say("numbers that lie apart", worst, 1e-4);
}

/** A plan by the types of its numbers, forwards and back. */
static void typed() {
  long long length = 12;
  std::vector<cufftDoubleReal> given(length);
  for (double &each : given) each = drawn();
  OnDevice<cufftDoubleReal> from(given), back(given);
  OnDevice<cufftDoubleComplex> waves(std::vector<cufftDoubleComplex>(7));
  cufftHandle forward, inverse;
  size_t bytes;
  CHECK(cufftCreate(&forward));
  CHECK(cufftCreate(&inverse));
  CHECK(cufftXtMakePlanMany(forward, 1, &length, nullptr, 1, 1, CUDA_R_64F, nullptr, 1, 1, CUDA_C_64F, 1, &bytes,
                            CUDA_C_64F));
  CHECK(cufftXtMakePlanMany(inverse, 1, &length, nullptr, 1, 1, CUDA_C_64F, nullptr, 1, 1, CUDA_R_64F, 1, &bytes,
                            CUDA_C_64F));
  CHECK(cufftXtExec(forward, from.at, waves.at, CUFFT_FORWARD));
  CHECK(cufftXtExec(inverse, waves.at, back.at, CUFFT_INVERSE));
  const std::vector<cufftDoubleReal> got = back.now();
  double worst = 0;
  for (int index = 0; index < length; ++index) worst = std::fmax(worst, std::fabs(got[index] / length - given[index]));
  say("a plan by types", worst, 1e-12);
  const int gpus[] = {0, 1};
  printf("several GPUs: status %d\n", cufftXtSetGPUs(forward, 2, const_cast<int *>(gpus)));
}

int main() {
  double worst = 0;
  for (const int length : {1, 2, 4, 30, 49, 64, 121, 134, 251})
    worst = std::fmax(worst, std::fmax(worstOfLength(length, CUFFT_FORWARD), worstOfLength(length, CUFFT_INVERSE)));
  say("lengths", worst, 2e-5);
  picture();
  apart();
  typed();
  cufftHandle plan;
  printf("no numbers: status %d\n", cufftPlan1d(&plan, 0, CUFFT_C2C, 1));
  return 0;
}
