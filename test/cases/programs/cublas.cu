// Calls of cuBLAS against plain loops of the host, in double precision.
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                     \
  do {                                                                                  \
    const cublasStatus_t status = (call);                                               \
    if (status != CUBLAS_STATUS_SUCCESS) {                                              \
      printf("%d: %s\n", __LINE__, cublasGetStatusName(status));                        \
      exit(1);                                                                          \
    }                                                                                   \
  } while (0)

template <typename T> struct Array {
  std::vector<T> host;
  T *device = nullptr;
  explicit Array(size_t count, float scale = 1) : host(count) {
    static unsigned state = 1;
    for (T &value : host) {
      state = state * 1664525u + 1013904223u;
      value = T(scale * (float(state >> 8) / float(1 << 24) - 0.5f));
    }
    cudaMalloc(&device, count * sizeof(T));
    cudaMemcpy(device, host.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  }
  std::vector<T> now() const {
    std::vector<T> values(host.size());
    cudaMemcpy(values.data(), device, values.size() * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
  }
  double at(size_t index) const { return double(float(host[index])); }
};

static double far(double a, double b) { return std::fabs(a - b) / std::fmax(1.0, std::fabs(b)); }

static void say(const char *what, double worst, double allowed) {
  printf("%s: %s\n", what, worst <= allowed ? "ok" : "WRONG");
  if (worst > allowed) printf("  differs by %g\n", worst);
}

/** Element of op(X) for a matrix with a leading dimension. */
template <typename T> double element(const Array<T> &x, bool turned, int ld, int row, int column, size_t from = 0) {
  return x.at(from + (turned ? column + size_t(row) * ld : row + size_t(column) * ld));
}

constexpr int m = 19, n = 13, k = 23, lda = 29, ldb = 31, ldc = 37;

template <typename In, typename Out>
double worstProduct(const Array<In> &a, bool ta, const Array<In> &b, bool tb, const Array<Out> &c, float alpha, float beta) {
  const std::vector<Out> got = c.now();
  double worst = 0;
  for (int column = 0; column < n; ++column) {
    for (int row = 0; row < ldc; ++row) {
      double wanted = c.at(row + size_t(column) * ldc);
      if (row < m) {
        double sum = 0;
        for (int each = 0; each < k; ++each) sum += element(a, ta, lda, row, each) * element(b, tb, ldb, each, column);
        wanted = alpha * sum + beta * wanted;
      }
      worst = std::fmax(worst, far(double(float(got[row + size_t(column) * ldc])), wanted));
    }
  }
  return worst;
}

static void products(cublasHandle_t handle) {
  const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T};
  const float alpha = 1.5f, beta = -0.5f;
  double worst = 0;
  for (int ta = 0; ta < 2; ++ta) {
    for (int tb = 0; tb < 2; ++tb) {
      Array<float> a(lda * 32), b(ldb * 32), c(ldc * n);
      CHECK(cublasSgemm(handle, ops[ta], ops[tb], m, n, k, &alpha, a.device, lda, b.device, ldb, &beta, c.device, ldc));
      worst = std::fmax(worst, worstProduct(a, ta, b, tb, c, alpha, beta));
    }
  }
  say("sgemm", worst, 1e-6);
  const double dalpha = 1.5, dbeta = 0;
  Array<double> da(lda * 32), db(ldb * 32), dc(ldc * n);
  CHECK(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &dalpha, da.device, lda, db.device, ldb, &dbeta, dc.device, ldc));
  say("dgemm", worstProduct(da, false, db, false, dc, alpha, 0), 1e-6);
  Array<__half> ha(lda * 32), hb(ldb * 32), hc(ldc * n);
  const __half one = __float2half(1), half = __float2half(0.5f);
  CHECK(cublasHgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &one, ha.device, lda, hb.device, ldb, &half, hc.device, ldc));
  say("hgemm", worstProduct(ha, true, hb, false, hc, 1, 0.5f), 2e-3);
  Array<__nv_bfloat16> ba(lda * 32), bb(ldb * 32);
  Array<float> bc(ldc * n);
  CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, ba.device, CUDA_R_16BF, lda, bb.device, CUDA_R_16BF, ldb, &beta,
                     bc.device, CUDA_R_32F, ldc, CUDA_R_32F, CUBLAS_GEMM_DEFAULT_TENSOR_OP));
  say("gemmEx of bfloat16", worstProduct(ba, false, bb, true, bc, alpha, beta), 1e-6);
  Array<float> ta(lda * 32), tb(ldb * 32), tc(ldc * n);
  CHECK(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH));
  CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, ta.device, lda, tb.device, ldb, &beta, tc.device, ldc));
  CHECK(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH));
  const double rounded = worstProduct(ta, false, tb, false, tc, alpha, beta);
  say("sgemm with TF32", rounded, 1e-3);
  printf("TF32 rounds: %s\n", rounded > 1e-6 ? "yes" : "no");
}

static void batches(cublasHandle_t handle) {
  const int size = 7, count = 3;
  const float one = 1, zero = 0;
  Array<float> a(size * size * count), b(size * size * count), c(size * size * count), d(size * size * count);
  CHECK(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &one, a.device, size, size * size, b.device, size,
                                  size * size, &zero, c.device, size, size * size, count));
  float *pointers[9];
  for (int each = 0; each < count; ++each) {
    pointers[each] = a.device + each * size * size;
    pointers[3 + each] = b.device + each * size * size;
    pointers[6 + each] = d.device + each * size * size;
  }
  float **arrays;
  cudaMalloc(&arrays, sizeof pointers);
  cudaMemcpy(arrays, pointers, sizeof pointers, cudaMemcpyHostToDevice);
  CHECK(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &one, arrays, size, arrays + 3, size, &zero, arrays + 6,
                           size, count));
  const std::vector<float> first = c.now(), second = d.now();
  double worst = 0;
  for (int batch = 0; batch < count; ++batch) {
    const size_t from = size_t(batch) * size * size;
    for (int column = 0; column < size; ++column) {
      for (int row = 0; row < size; ++row) {
        double sum = 0;
        for (int each = 0; each < size; ++each) sum += element(a, false, size, row, each, from) * element(b, false, size, each, column, from);
        worst = std::fmax(worst, far(first[from + row + column * size], sum));
        worst = std::fmax(worst, far(second[from + row + column * size], sum));
      }
    }
  }
  say("batches", worst, 1e-6);
}

static void vectors(cublasHandle_t handle) {
  const int count = 50;
  Array<float> x(count * 2), y(count * 3);
  float result = 0, dot = 0, length = 0, sum = 0;
  int most = 0;
  for (int i = 0; i < count; ++i) {
    dot += x.host[2 * i] * y.host[3 * i];
    length += x.host[2 * i] * x.host[2 * i];
    sum += std::fabs(x.host[2 * i]);
    if (std::fabs(x.host[2 * i]) > std::fabs(x.host[2 * most])) most = i;
  }
  CHECK(cublasSdot(handle, count, x.device, 2, y.device, 3, &result));
  say("sdot", far(result, dot), 1e-5);
  CHECK(cublasSnrm2(handle, count, x.device, 2, &result));
  say("snrm2", far(result, std::sqrt(length)), 1e-5);
  CHECK(cublasSasum(handle, count, x.device, 2, &result));
  say("sasum", far(result, sum), 1e-5);
  int place = 0;
  CHECK(cublasIsamax(handle, count, x.device, 2, &place));
  say("isamax", place - 1 - most, 0);
  float *factor;
  cudaMalloc(&factor, sizeof(float));
  const float three = 3;
  cudaMemcpy(factor, &three, sizeof three, cudaMemcpyHostToDevice);
  CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  CHECK(cublasSaxpy(handle, count, factor, x.device, 2, y.device, -3));
  CHECK(cublasSdot(handle, 1, factor, 1, factor, 1, factor));
  CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  cudaMemcpy(&result, factor, sizeof result, cudaMemcpyDeviceToHost);
  say("results on the device", result - 9, 0);
  const std::vector<float> now = y.now();
  double worst = 0;
  for (int i = 0; i < count; ++i)
    worst = std::fmax(worst, far(now[3 * (count - 1 - i)], y.host[3 * (count - 1 - i)] + 3 * x.host[2 * i]));
  say("saxpy backwards", worst, 1e-6);
}

static void triangles(cublasHandle_t handle) {
  const float one = 1, two = 2;
  const cublasFillMode_t halves[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
  double worst = 0;
  for (int at = 0; at < 16; ++at) {
    const cublasSideMode_t side = at & 1 ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT;
    const cublasOperation_t op = at & 4 ? CUBLAS_OP_T : CUBLAS_OP_N;
    const cublasDiagType_t diagonal = at & 8 ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
    Array<float> a(lda * 20, 0.2f), b(m * n), c(m * n);
    for (int i = 0; i < 20; ++i) a.host[i + i * lda] += 1;
    cudaMemcpy(a.device, a.host.data(), a.host.size() * 4, cudaMemcpyHostToDevice);
    CHECK(cublasStrmm(handle, side, halves[at >> 1 & 1], op, diagonal, m, n, &two, a.device, lda, b.device, m, c.device, m));
    CHECK(cublasStrsm(handle, side, halves[at >> 1 & 1], op, diagonal, m, n, &one, a.device, lda, c.device, m));
    const std::vector<float> got = c.now();
    for (int i = 0; i < m * n; ++i) worst = std::fmax(worst, far(got[i], 2 * b.host[i]));
  }
  say("strsm undoes strmm", worst, 1e-5);
  Array<float> a(lda * k), c(m * m), symmetric(m * m), x(m), y(m);
  const float zero = 0;
  CHECK(cublasSsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, m, k, &one, a.device, lda, &zero, c.device, m));
  CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, m, k, &one, a.device, lda, a.device, lda, &zero, symmetric.device, m));
  CHECK(cublasSsymv(handle, CUBLAS_FILL_MODE_LOWER, m, &one, c.device, m, x.device, 1, &zero, y.device, 1));
  Array<float> z(m), full(m * m);
  CHECK(cublasSgemv(handle, CUBLAS_OP_T, m, m, &one, symmetric.device, m, x.device, 1, &zero, z.device, 1));
  const std::vector<float> first = y.now(), second = z.now();
  worst = 0;
  for (int i = 0; i < m; ++i) worst = std::fmax(worst, far(first[i], second[i]));
  say("ssyrk, ssymv and sgemv", worst, 1e-5);
  const float minus = -1;
  Array<float> t(m * n), u(m * n), v(m * n);
  CHECK(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, &one, t.device, n, &minus, u.device, m, v.device, m));
  const std::vector<float> sums = v.now();
  worst = 0;
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column)
      worst = std::fmax(worst, far(sums[row + column * m], t.host[column + row * n] - u.host[row + column * m]));
  say("sgeam", worst, 1e-6);
}

static void captured(cublasHandle_t handle) {
  const int size = 4;
  Array<float> a(size * size), b(size * size), c(size * size);
  cudaMemset(c.device, 0, size * size * 4);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  CHECK(cublasSetStream(handle, stream));
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  {
    const float one = 1;
    CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &one, a.device, size, b.device, size, &one, c.device, size));
  }
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  const std::vector<float> got = c.now();
  double worst = 0;
  for (int column = 0; column < size; ++column) {
    for (int row = 0; row < size; ++row) {
      double sum = 0;
      for (int each = 0; each < size; ++each) sum += element(a, false, size, row, each) * element(b, false, size, each, column);
      worst = std::fmax(worst, far(got[row + column * size], 3 * sum));
    }
  }
  say("three launches of a captured sgemm", worst, 1e-5);
  CHECK(cublasSetStream(handle, nullptr));
}

/**
 * A long product that is repeated, then with another layout and other numbers, against one column of loops.
 */
static void repeated(cublasHandle_t handle) {
  const int size = 416;
  Array<float> a(size * size), b(size * size), c(size * size);
  const float zero = 0;
  for (int round = 0; round < 4; ++round) {
    const float by = round + 1;
    const cublasOperation_t op = round == 2 ? CUBLAS_OP_T : CUBLAS_OP_N;
    if (round == 3) {
      a.host[5] = 100;
      cudaMemcpy(a.device, a.host.data(), 6 * sizeof(float), cudaMemcpyHostToDevice);
    }
    CHECK(cublasSgemm(handle, op, CUBLAS_OP_N, size, size, size, &by, a.device, size, b.device, size, &zero, c.device,
                      size));
    const std::vector<float> found = c.now();
    double most = 0;
    for (int row = 0; row < size; ++row) {
      double sum = 0;
      for (int term = 0; term < size; ++term)
        sum += a.at(round == 2 ? row * size + term : term * size + row) * b.at(term);
      most = std::fmax(most, far(found[row], by * sum));
    }
    printf("a long product, round %d: %s\n", round, most < 1e-4 ? "right" : "wrong");
  }
}

/** Three matrices of five rows: their factors, what is solved with these, and both ways to an inverse. */
static void factors(cublasHandle_t handle) {
  constexpr int size = 5, count = 3;
  Array<double> a(size * size * count), b(size * count), copies(size * size * count), inverses(size * size * count);
  double *table[4 * count], **left;
  cudaMemcpy(copies.device, a.device, size * size * count * sizeof(double), cudaMemcpyDeviceToDevice);
  // The last matrix comes first, so that they do not lie side by side.
  for (int each = 0; each < count; ++each) {
    const int at = count - 1 - each;
    table[each] = a.device + at * size * size;
    table[count + each] = b.device + at * size;
    table[2 * count + each] = copies.device + at * size * size;
    table[3 * count + each] = inverses.device + at * size * size;
  }
  cudaMalloc(&left, sizeof table);
  cudaMemcpy(left, table, sizeof table, cudaMemcpyHostToDevice);
  double **right = left + count, **again = left + 2 * count, **inverse = left + 3 * count;
  int *numbers, infos[count], info = -1;
  cudaMalloc(&numbers, (size + 1) * count * sizeof(int));
  int *failed = numbers + size * count;
  CHECK(cublasDmatinvBatched(handle, size, again, size, inverse, size, failed, count));
  const std::vector<double> first = inverses.now();
  CHECK(cublasDgetrfBatched(handle, size, left, size, numbers, failed, count));
  cudaMemcpy(infos, failed, sizeof infos, cudaMemcpyDeviceToHost);
  CHECK(cublasDgetrsBatched(handle, CUBLAS_OP_T, size, 1, left, size, numbers, right, size, &info, count));
  CHECK(cublasDgetriBatched(handle, size, left, size, numbers, inverse, size, failed, count));
  const std::vector<double> second = inverses.now();
  const std::vector<double> solved = b.now();
  double residual = 0, ones = 0, both = 0;
  for (int each = 0; each < count; ++each) {
    const double *matrix = &a.host[each * size * size];
    for (int row = 0; row < size; ++row) {
      double sum = 0;
      for (int term = 0; term < size; ++term) sum += matrix[row * size + term] * solved[each * size + term];
      residual = std::fmax(residual, std::fabs(sum - b.host[each * size + row]));
      for (int column = 0; column < size; ++column) {
        const int at = each * size * size + column * size;
        double product = 0;
        for (int term = 0; term < size; ++term) product += matrix[term * size + row] * first[at + term];
        ones = std::fmax(ones, std::fabs(product - (row == column ? 1 : 0)));
        both = std::fmax(both, std::fabs(first[at + row] - second[at + row]));
      }
    }
  }
  say("dgetrs of the transposed", residual, 1e-12);
  say("dmatinv", ones, 1e-12);
  say("dgetri", both, 1e-12);
  cudaMemset(a.device, 0, size * size * sizeof(double));
  CHECK(cublasDgetrfBatched(handle, size, left, size, nullptr, failed, count));
  cudaMemcpy(infos, failed, sizeof infos, cudaMemcpyDeviceToHost);
  printf("a matrix of zeros: %d, the ones before it: %d %d, info %d\n", infos[2], infos[0], infos[1], info);
}

int main() {
  cublasHandle_t handle;
  CHECK(cublasCreate(&handle));
  products(handle);
  batches(handle);
  vectors(handle);
  triangles(handle);
  factors(handle);
  captured(handle);
  repeated(handle);
  const float one = 1;
  Array<float> a(16);
  const cublasStatus_t status =
      cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a.device, 3, a.device, 4, &one, a.device, 4);
  printf("a short leading dimension: %s\n", cublasGetStatusName(status));
  const cublasStatus_t behind =
      cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 8, &one, a.device, 4, a.device, 8, &one, a.device, 4);
  printf("a matrix that is too small: %s\n", cublasGetStatusName(behind));
  CHECK(cublasDestroy(handle));
  return 0;
}
