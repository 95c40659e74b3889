// Numbers of cuRAND on the host, from the host to the device, and in kernels. The first two agree with NVIDIA's
// library, the last with its header.
#include <curand.h>
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>
#include <vector>

static void say(const char *what, const std::vector<unsigned> &values) {
  std::printf("%s", what);
  for (size_t at : {size_t{0}, size_t{1}, size_t{5}, size_t{4095}, size_t{4096}, size_t{8192}, size_t{19999}}) std::printf(" %08x", values[at]);
  std::printf("\n");
}

static void fromHost(const char *name, curandRngType_t type) {
  curandGenerator_t generator;
  std::printf("%s: %d\n", name, curandCreateGeneratorHost(&generator, type));
  curandSetPseudoRandomGeneratorSeed(generator, 1234);
  std::vector<unsigned> bits(20000);
  curandGenerate(generator, bits.data(), bits.size());
  say(" bits", bits);
  float *device;
  cudaMalloc(&device, 8 * sizeof(float));
  float numbers[8];
  curandGenerateUniform(generator, numbers, 8);
  std::printf(" uniform %.6f %.6f", numbers[0], numbers[7]);
  curandGenerateNormal(generator, numbers, 8, 0, 1);
  std::printf(" normal %.5f %.5f", numbers[0], numbers[7]);
  curandGenerateLogNormal(generator, numbers, 8, 1, 0.5f);
  std::printf(" log normal %.5f %.5f", numbers[0], numbers[7]);
  double wide[8];
  curandGenerateUniformDouble(generator, wide, 8);
  std::printf(" doubles %.12f %.12f", wide[0], wide[7]);
  curandGenerateNormalDouble(generator, wide, 8, 0, 1);
  std::printf(" %.12f %.12f\n", wide[0], wide[7]);
  curandDestroyGenerator(generator);
  // The same numbers, 20000 further on, on the device.
  curandCreateGenerator(&generator, type);
  curandSetPseudoRandomGeneratorSeed(generator, 1234);
  curandSetGeneratorOffset(generator, 20000);
  curandGenerateUniform(generator, device, 8);
  cudaMemcpy(numbers, device, sizeof numbers, cudaMemcpyDeviceToHost);
  std::printf(" at the offset %.6f %.6f\n", numbers[0], numbers[7]);
  unsigned *counts;
  cudaMalloc(&counts, 10000 * sizeof(unsigned));
  for (double mean : {3.5, 40.0}) {
    curandGeneratePoisson(generator, counts, 10000, mean);
    cudaMemcpy(bits.data(), counts, 10000 * sizeof(unsigned), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int each = 0; each < 10000; ++each) sum += bits[each];
    std::printf(" poisson %s\n", std::fabs(sum / 10000 - mean) < 4 * std::sqrt(mean / 10000) ? "ok" : "WRONG");
  }
  curandDestroyGenerator(generator);
}

__global__ void draw(unsigned *bits, float *numbers, double *wide) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state;
  curand_init(1234, thread * 37, thread * 5, &state);
  bits[2 * thread] = curand(&state);
  skipahead(1000, &state);
  numbers[4 * thread] = curand_uniform(&state);
  numbers[4 * thread + 1] = curand_normal(&state);
  wide[2 * thread] = curand_uniform_double(&state);
  curandStatePhilox4_32_10_t other;
  curand_init(42, thread * 3, thread, &other);
  const uint4 four = curand4(&other);
  bits[2 * thread + 1] = four.x ^ four.w;
  numbers[4 * thread + 2] = curand_normal4(&other).w;
  numbers[4 * thread + 3] = curand_log_normal(&other, 1, 0.5f);
  wide[2 * thread + 1] = curand_normal2_double(&other).y;
}

template <typename Word>
static void quasi(const char *name, curandRngType_t type, curandStatus_t (*generate)(curandGenerator_t, Word *, size_t)) {
  curandGenerator_t generator;
  std::printf("%s: %d", name, curandCreateGeneratorHost(&generator, type));
  std::printf(" %d", curandSetQuasiRandomGeneratorDimensions(generator, 481));
  std::printf(" %d", curandSetQuasiRandomGeneratorDimensions(generator, 482));
  curandSetGeneratorOffset(generator, 123456);
  std::vector<Word> bits(481 * 5);
  std::printf(" %d %d\n", generate(generator, bits.data(), 481 * 5 - 1), generate(generator, bits.data(), 481 * 5));
  Word sum = 0;
  for (const Word each : bits) sum = sum * 31 + each;
  std::printf(" bits %llx %llx %llx all %llx\n", 0ull + bits[3], 0ull + bits[9], 0ull + bits.back(), 0ull + sum);
  curandSetQuasiRandomGeneratorDimensions(generator, 3);
  curandSetGeneratorOffset(generator, 7);
  float numbers[6];
  double wide[6];
  curandGenerateUniform(generator, numbers, 6);
  std::printf(" uniform %.9f %.9f", numbers[0], numbers[5]);
  curandGenerateNormal(generator, numbers, 6, 1, 2);
  std::printf(" normal %.5f %.5f", numbers[0], numbers[5]);
  curandGenerateUniformDouble(generator, wide, 6);
  std::printf(" doubles %.15f %.15f", wide[0], wide[5]);
  curandGenerateNormalDouble(generator, wide, 6, 0, 1);
  std::printf(" %.12f %.12f\n", wide[0], wide[5]);
  curandDestroyGenerator(generator);
}

__global__ void drawQuasi(curandDirectionVectors32_t *vectors, float *numbers, double *wide) {
  const int thread = threadIdx.x;
  curandStateSobol32 state;
  curand_init(vectors[thread * 15], 1000 + thread, &state);
  numbers[3 * thread] = curand_uniform(&state);
  skipahead(5u, &state);
  numbers[3 * thread + 1] = curand_normal(&state);
  numbers[3 * thread + 2] = curand_log_normal(&state, 0.5f, 0.25f);
  wide[2 * thread] = curand_uniform_double(&state);
  wide[2 * thread + 1] = curand_normal_double(&state);
}

int main() {
  fromHost("XORWOW", CURAND_RNG_PSEUDO_XORWOW);
  fromHost("Philox", CURAND_RNG_PSEUDO_PHILOX4_32_10);
  unsigned *bits;
  float *numbers;
  double *wide;
  cudaMallocManaged(&bits, 128 * sizeof *bits);
  cudaMallocManaged(&numbers, 256 * sizeof *numbers);
  cudaMallocManaged(&wide, 128 * sizeof *wide);
  draw<<<2, 32>>>(bits, numbers, wide);
  cudaDeviceSynchronize();
  for (int thread : {0, 1, 33, 63}) {
    const float *own = numbers + 4 * thread;
    std::printf("%d: %08x %08x %.5f %.5f %.5f %.5f %.10f %.10f\n", thread, bits[2 * thread], bits[2 * thread + 1], own[0], own[1], own[2],
                own[3], wide[2 * thread], wide[2 * thread + 1]);
  }
  quasi<unsigned>("Sobol", CURAND_RNG_QUASI_SOBOL32, curandGenerate);
  quasi<unsigned long long>("Sobol, 64 bits", CURAND_RNG_QUASI_SOBOL64, curandGenerateLongLong);
  curandDirectionVectors32_t *vectors, *copied;
  std::printf("directions: %d, scrambled: %d\n", curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6),
              curandGetDirectionVectors32(&copied, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6));
  cudaMalloc(&copied, 481 * sizeof *vectors);
  cudaMemcpy(copied, vectors, 481 * sizeof *vectors, cudaMemcpyHostToDevice);
  drawQuasi<<<1, 32>>>(copied, numbers, wide);
  cudaDeviceSynchronize();
  for (int thread : {0, 1, 31}) std::printf("%d: %.9f %.9f %.9f %.12f %.12f\n", thread, numbers[3 * thread], numbers[3 * thread + 1], numbers[3 * thread + 2], wide[2 * thread], wide[2 * thread + 1]);
  curandGenerator_t scrambled;
  std::printf("scrambled: %d\n", curandCreateGenerator(&scrambled, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32));
  return 0;
}
