// Products of cuBLASLt with their epilogues against plain loops.
#include <cublasLt.h>
#include <cuda_bf16.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

static cublasLtHandle_t handle;
static const int m = 24, n = 16, k = 20;

template <typename T> struct Array {
  std::vector<float> host;
  T *device = nullptr;
  explicit Array(size_t count) : host(count) {
    static unsigned state = 1;
    std::vector<T> values(count);
    for (size_t at = 0; at < count; ++at) {
      state = state * 1664525u + 1013904223u;
      values[at] = T(float(state >> 8) / float(1 << 24) - 0.5f);
      host[at] = float(values[at]);
    }
    cudaMalloc(&device, count * sizeof(T));
    cudaMemcpy(device, values.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  }
  std::vector<float> now() const {
    std::vector<T> values(host.size());
    cudaMemcpy(values.data(), device, values.size() * sizeof(T), cudaMemcpyDeviceToHost);
    return std::vector<float>(values.begin(), values.end());
  }
};

static void say(const char *what, const std::vector<float> &got, const std::vector<float> &wanted, float allowed) {
  float worst = 0;
  for (size_t at = 0; at < wanted.size(); ++at) worst = std::fmax(worst, std::fabs(got[at] - wanted[at]));
  std::printf("%s: %s\n", what, worst <= allowed ? "ok" : "WRONG");
  if (!(worst <= allowed)) std::printf("  differs by %g\n", worst);
}

struct Matmul {
  cublasLtMatmulDesc_t operation;
  cublasLtMatrixLayout_t a, b, d;
  Matmul(cudaDataType type, cublasOperation_t opA, cublasLtEpilogue_t epilogue) {
    cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    set(CUBLASLT_MATMUL_DESC_TRANSA, opA);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
    cublasLtMatrixLayoutCreate(&a, type, opA == CUBLAS_OP_N ? m : k, opA == CUBLAS_OP_N ? k : m, opA == CUBLAS_OP_N ? m : k);
    cublasLtMatrixLayoutCreate(&b, type, k, n, k);
    cublasLtMatrixLayoutCreate(&d, type, m, n, m);
  }
  template <typename Value> void set(cublasLtMatmulDescAttributes_t attribute, Value value) {
    if (cublasLtMatmulDescSetAttribute(operation, attribute, &value, sizeof value) != CUBLAS_STATUS_SUCCESS) std::exit(1);
  }
  void run(const void *A, const void *B, void *D) {
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulPreferenceCreate(&preference);
    cublasLtMatmulHeuristicResult_t result;
    int found = 0;
    cublasLtMatmulAlgoGetHeuristic(handle, operation, a, b, d, d, preference, 1, &result, &found);
    const float one = 1, zero = 0;
    const cublasStatus_t status = cublasLtMatmul(handle, operation, &one, A, a, B, b, &zero, D, d, D, d, &result.algo, nullptr, 0, 0);
    if (found != 1 || status != CUBLAS_STATUS_SUCCESS) std::printf("%d found, %s\n", found, cublasLtGetStatusName(status));
    cublasLtMatmulPreferenceDestroy(preference);
  }
};

static float gelu(float x) { return 0.5f * x * (1 + std::tanh(0.7978845608f * (x + 0.044715f * x * x * x))); }

int main() {
  cublasLtCreate(&handle);
  Array<float> a(m * k), b(k * n), d(m * n), bias(m), inputs(m * n), gradient(n);
  std::vector<float> plain(m * n), turned(m * n);
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row)
      for (int each = 0; each < k; ++each) {
        plain[row + column * m] += a.host[row + each * m] * b.host[each + column * k];
        turned[row + column * m] += a.host[each + row * k] * b.host[each + column * k];
      }
  std::vector<float> wanted(m * n);
  Matmul relu(CUDA_R_32F, CUBLAS_OP_T, CUBLASLT_EPILOGUE_RELU_BIAS);
  relu.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias.device);
  relu.run(a.device, b.device, d.device);
  for (int at = 0; at < m * n; ++at) wanted[at] = std::fmax(0.0f, turned[at] + bias.host[at % m]);
  say("relu and bias", d.now(), wanted, 1e-5f);
  Matmul forward(CUDA_R_32F, CUBLAS_OP_N, CUBLASLT_EPILOGUE_GELU_AUX_BIAS);
  forward.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias.device);
  forward.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, inputs.device);
  forward.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t{m});
  forward.run(a.device, b.device, d.device);
  std::vector<float> before(m * n);
  for (int at = 0; at < m * n; ++at) wanted[at] = gelu(before[at] = plain[at] + bias.host[at % m]);
  say("gelu and bias", d.now(), wanted, 1e-5f);
  say("inputs of gelu", inputs.now(), before, 1e-5f);
  Matmul backward(CUDA_R_32F, CUBLAS_OP_N, CUBLASLT_EPILOGUE_DGELU);
  backward.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, inputs.device);
  backward.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t{m});
  backward.run(a.device, b.device, d.device);
  for (int at = 0; at < m * n; ++at) wanted[at] = plain[at] * (gelu(before[at] + 1e-3f) - gelu(before[at] - 1e-3f)) / 2e-3f;
  say("gradient of gelu", d.now(), wanted, 1e-3f);
  Matmul sums(CUDA_R_32F, CUBLAS_OP_N, CUBLASLT_EPILOGUE_BGRADB);
  sums.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, gradient.device);
  sums.run(a.device, b.device, d.device);
  std::vector<float> columns(n);
  for (int at = 0; at < k * n; ++at) columns[at / k] += b.host[at];
  say("product beside a gradient", d.now(), plain, 1e-5f);
  say("gradient of a bias", gradient.now(), columns, 1e-5f);
  // Rows one behind the other: the same bytes are the transposed matrices.
  Array<__nv_bfloat16> x(m * k), y(k * n), z(m * n), rowBias(m);
  Matmul rows(CUDA_R_16BF, CUBLAS_OP_N, CUBLASLT_EPILOGUE_BIAS);
  rows.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, rowBias.device);
  const cublasLtOrder_t order = CUBLASLT_ORDER_ROW;
  const int64_t leading[] = {k, n, n};
  cublasLtMatrixLayout_t layouts[] = {rows.a, rows.b, rows.d};
  for (int at = 0; at < 3; ++at) {
    cublasLtMatrixLayoutSetAttribute(layouts[at], CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order);
    cublasLtMatrixLayoutSetAttribute(layouts[at], CUBLASLT_MATRIX_LAYOUT_LD, &leading[at], sizeof leading[at]);
  }
  rows.run(x.device, y.device, z.device);
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      float sum = rowBias.host[row];
      for (int each = 0; each < k; ++each) sum += x.host[row * k + each] * y.host[each * n + column];
      wanted[row * n + column] = sum;
    }
  say("rows of bfloat16 and bias", z.now(), wanted, 1e-2f);
  cublasLtDestroy(handle);
  return 0;
}
