import { type Kernel, custom, table, index } from "./corpus-kernels";
import { modern, modernPreamble } from "./corpus-modern";

/**
 * A corpus of small CUDA kernels, written as text: every arithmetic type, memory width, memory space and
 * special instruction family that an ordinary kernel reaches. Two modules: one that every supported
 * architecture compiles, and one that needs sm_80 or later.
 */
export interface CorpusModule {
  readonly name: string;
  /** Virtual architecture that nvcc compiles for. */
  readonly virtualArchitecture: string;
  readonly source: string;
  readonly kernelCount: number;
}

const integers = (prefix: string, type: string): Kernel[] =>
  table(prefix, type, [
    "x + y",
    "x * y",
    "x / y",
    "x % y",
    "x & y",
    "x | y",
    "x ^ y",
    "x << (y & 7)",
    "x >> (y & 7)",
    "x < y ? x : y",
    "x * y + x",
    "x > 0 ? y : x / 7",
    "~x ^ (y >> 3)",
  ]);

const floats = (prefix: string, type: string, suffix: string): Kernel[] =>
  table(prefix, type, [
    "x + y",
    "x * y",
    "x / y",
    "x * y + x",
    `fmin${suffix}(x, y)`,
    `sqrt${suffix}(x)`,
    `rsqrt${suffix}(x)`,
    `exp${suffix}(x)`,
    `log${suffix}(x)`,
    `sin${suffix}(x) + cos${suffix}(y)`,
    `pow${suffix}(x, y)`,
    `tanh${suffix}(x)`,
    `erf${suffix}(x)`,
    `floor${suffix}(x) + rint${suffix}(y)`,
    `fmod${suffix}(x, y)`,
    `cbrt${suffix}(x)`,
    `x > y ? x : -y`,
    `(${type})((int)x + (long long)y)`,
    `(${type})((unsigned)x * 3u)`,
    `copysign${suffix}(x, y)`,
    `fabs${suffix}(x - y)`,
    `isnan(x) ? y : x`,
    `atan2${suffix}(x, y)`,
    `lgamma${suffix}(x)`,
  ]);

const fast = table("fast", "float", [
  "__expf(x)",
  "__logf(x) * y",
  "__sinf(x)",
  "__cosf(y)",
  "__fdividef(x, y)",
  "__powf(x, y)",
  "__frcp_rn(x)",
  "__fsqrt_rz(x)",
  "__fmaf_ru(x, y, x)",
  "__fadd_rd(x, y)",
  "__saturatef(x * y)",
  "__int_as_float(__float_as_int(x) ^ 0x80000000)",
  "__fmul_rz(x, y)",
  "truncf(x) + ceilf(y)",
]);

const bits = table("bits", "unsigned", [
  "__popc(x) + __clz(y)",
  "__brev(x)",
  "__ffs(x)",
  "__byte_perm(x, y, 0x4210)",
  "__funnelshift_l(x, y, 5)",
  "__umulhi(x, y)",
  "__sad(x, y, x)",
  "__vadd4(x, y)",
  "__dp4a(x, y, x)",
  "__umul24(x, y)",
  "__uhadd(x, y)",
  "min(max(x, 3u), y)",
  "(x >> 5) & 0xff",
  "(x & y) | (~x & 0x55)",
  "__vabsdiffu4(x, y)",
  "__vminu2(x, y)",
]);

const halves = [
  ...table("half", "__half", [
    "__hadd(x, y)",
    "__hmul(x, y)",
    "__hfma(x, y, x)",
    "__hgt(x, y) ? x : y",
    "__float2half(__half2float(x) * 2.f)",
    "hexp(x)",
    "hsqrt(y)",
    "__hdiv(x, y)",
    "__int2half_rn(__half2int_rz(x))",
  ]),
  ...table("half2", "__half2", [
    "__hadd2(x, y)",
    "__hfma2(x, y, x)",
    "__hmul2(x, y)",
    "__hsub2(x, y)",
    "__hneg2(x)",
    "h2exp(x)",
    "__lows2half2(x, y)",
    "__hadd2_sat(x, y)",
  ]),
];

const widths = ["char", "short", "int", "int2", "int4", "float2", "float4", "double2", "long long"].map(
  (type, position): Kernel => ({
    name: `width_${position}`,
    text: [
      `__global__ void width_${position}(const ${type}* __restrict__ a, ${type}* b, int n) {`,
      index,
      "  if (i < n)",
      "    b[i] = a[n - i];",
      "}",
    ].join("\n"),
  }),
);

const sharedWidths = ["unsigned char", "unsigned short", "float", "float2", "float4", "double"].map(
  (type, position): Kernel => ({
    name: `shared_${position}`,
    text: [
      `__global__ void shared_${position}(const ${type}* a, ${type}* b) {`,
      `  __shared__ ${type} tile[${64 << position}];`,
      "  tile[threadIdx.x] = a[threadIdx.x];",
      "  __syncthreads();",
      `  b[threadIdx.x] = tile[${(64 << position) - 1} - threadIdx.x];`,
      "}",
    ].join("\n"),
  }),
);

const atomics = [
  "atomicAdd(f + i, 1.f);",
  "atomicAdd(p + i, n);",
  "p[i] = atomicAdd(p + 1, n);",
  "atomicMax(p, n);",
  "p[i] = atomicCAS(p + n, 1, i);",
  "p[i] = atomicExch(p + n, i);",
  "atomicAnd(p, i);",
  "atomicAdd(d, 1.0);",
  "p[i] = atomicInc((unsigned*)p, n);",
  "atomicXor((unsigned long long*)d, 5ull);",
  "__shared__ int s[32]; s[i & 31] = 0; __syncthreads(); atomicAdd(s + (i & 7), n); __syncthreads(); p[i] = s[i & 31];",
  "__shared__ int s[32]; s[i & 31] = 0; __syncthreads(); p[n] = atomicCAS(s + (i & 7), n, i); __syncthreads(); p[i] = s[i & 31];",
  "__shared__ float s[32]; s[i & 31] = 0; __syncthreads(); atomicAdd(s + (i & 7), f[i]); __syncthreads(); f[i] = s[i & 31];",
  "p[i] = atomicAdd_block(p + 1, n);",
  "atomicAdd_system(p + 1, n);",
  "atomicMin((long long*)d, (long long)n);",
].map((statement, position) => custom(`atomic_${position}`, [statement]));

const warp = [
  "f[i] = __shfl_sync(~0u, f[i], 3);",
  "f[i] = __shfl_xor_sync(~0u, f[i], n);",
  "f[i] += __shfl_down_sync(~0u, f[i], 16); ",
  "p[i] = __ballot_sync(~0u, p[i] > n);",
  "p[i] = __any_sync(~0u, p[i]) + __all_sync(~0u, p[n]);",
  "p[i] = __match_any_sync(~0u, p[i]);",
  "int all; p[i] = __match_all_sync(~0u, p[i], &all) + all;",
  "p[i] = __activemask();",
  "f[i] = 1; __syncwarp(); f[n] = f[i + 1];",
  "p[i] = __syncthreads_count(p[i]);",
  "p[i] = __syncthreads_or(p[i]) + __syncthreads_and(p[n]);",
  "f[i] = 2; __threadfence(); f[n] = 3; __threadfence_block(); f[n] = 4; __threadfence_system();",
  "for (int o = 16; o > 0; o >>= 1) f[i] += __shfl_xor_sync(~0u, f[i], o);",
  "d[i] = (double)clock64(); p[i] = clock();",
  'asm volatile("bar.sync 3, 64;"); f[i] = n;',
  'unsigned t; asm volatile("mov.u32 %0, %laneid;" : "=r"(t)); p[i] = t + warpSize;',
  "__nanosleep(n); p[i] = 1;",
  'asm volatile("bar.arrive 2, 64; bar.sync 1, 64;"); p[i] = n;',
  "if (n > 3) { __trap(); } p[i] = n;",
  "p[i] = __ldg(p + n) + __ldcg(p + i) + __ldcs(p + 2); __stcs(p + n, 1);",
].map((statement, position) => custom(`warp_${position}`, [statement]));

const control = [
  ["float s = 0;", "for (int k = 0; k < n; k++)", "  s += f[k] * f[k + i];", "f[i] = s;"],
  [
    "#pragma unroll 1",
    "for (int k = 0; k < n; k++) {",
    "  if (p[k] > i)",
    "    f[k] += 1;",
    "  else",
    "    f[k] *= 2;",
    "}",
  ],
  ["while (p[i] > 0) p[i] -= p[p[i]];"],
  [
    "switch (p[i]) {",
    "case 0: f[i] = 1; break;",
    "case 1: f[i] = sinf(f[i]); break;",
    "case 2: f[i] = f[n]; break;",
    "case 3: d[i] = 3; break;",
    "case 4: p[i] = n; break;",
    "case 5: p[n] = i; break;",
    "case 6: f[1] = 2; break;",
    "default: f[i] = 7; }",
  ],
  ["#pragma unroll", "for (int k = 0; k < 16; k++)", "  f[i + k] = f[i + k] * d[k] + n;"],
  ["for (int a = 0; a < n; a++)", "  for (int b = 0; b < a; b++)", "    f[a] += f[b] * p[a ^ b];"],
  ["f[i] = table_constant[i & 31] + table_constant[n];"],
  ["global_counter += n;"],
  ["p[i] = recursive(n & 15);"],
  ["f[i] = not_inlined(f[i], n) + not_inlined(f[n], i);"],
  ["f[i] = function_table[n & 1](f[i], n);"],
  ['if (i == 0) printf("%d %f\\n", n, f[0]);'],
  ["int* q = (int*)malloc(16); q[n & 3] = i; p[i] = q[0]; free(q);"],
  ["assert(n > i); f[i] = n;"],
  ["int* q = (n & 1) ? p : (int*)f;", "q[i] += 1;"],
  ["extern __shared__ float dynamic[];", "dynamic[threadIdx.x] = f[i]; __syncthreads(); f[i] = dynamic[n];"],
  ["memcpy(f + i, d + n, 64);"],
  ["f[i] = tex1Dfetch<float>((cudaTextureObject_t)n, i);"],
  ["surf1Dwrite(f[i], (cudaSurfaceObject_t)n, i * 4);"],
  ["f[i] = tex2D<float>((cudaTextureObject_t)n, f[i], f[n]);"],
].map((body, position) => custom(`control_${position}`, body));

const local = [
  [
    "float keep[64];",
    "for (int k = 0; k < 64; k++) keep[k] = f[k * n];",
    "for (int k = 0; k < n; k++) keep[p[k] & 63] += k;",
    "f[i] = keep[n & 63];",
  ],
  ["double keep[8] = {1, 2, 3, 4, 5, 6, 7, 8};", "d[i] = keep[n & 7];"],
  [
    "char text[32];",
    "for (int k = 0; k < 32; k++) text[k] = p[k];",
    "text[n & 31] = 0;",
    "p[i] = text[p[n] & 31];",
  ],
  [
    "float4 keep[4];",
    "keep[n & 3] = ((float4*)f)[i];",
    "keep[(n + 1) & 3] = ((float4*)f)[i + 1];",
    "((float4*)f)[i] = keep[p[i] & 3];",
  ],
  ["int value = p[i];", "modify(&value, n);", "p[i] = value;"],
].map((body, position) => custom(`local_${position}`, body));

/** Kernels that keep more values alive than the launch bounds leave registers for. */
const spills = [
  [1024, "float", "f", 96],
  [1024, "double", "d", 48],
  [1024, "int", "p", 128],
  [512, "float", "f", 160],
  [1024, "float4", "((float4*)f)", 24],
].map(([threads, type, pointer, count], position): Kernel => {
  const zero = type === "float4" ? ".x" : "";
  return custom(
    `spill_${position}`,
    [
      `${type} live[${count}];`,
      "#pragma unroll",
      `for (int k = 0; k < ${count}; k++) live[k] = ${pointer}[k * n + i];`,
      "__syncthreads();",
      "#pragma unroll 1",
      "for (int r = 0; r < n; r++) {",
      "#pragma unroll",
      `  for (int k = 0; k < ${count}; k++) live[k]${zero} += live[(k * 7 + 3) % ${count}]${zero} * r;`,
      "}",
      "#pragma unroll",
      `for (int k = 0; k < ${count}; k++) ${pointer}[k * n + i] = live[k];`,
    ],
    `__global__ void __launch_bounds__(${threads}, 2)`,
  );
});

const tensors = [
  ["16, 16, 16", "half", "float"],
  ["32, 8, 16", "half", "half"],
  ["8, 32, 16", "signed char", "int"],
].map(([shape, input, output], position): Kernel => ({
  name: `tensor_${position}`,
  text: [
    `__global__ void tensor_${position}(const ${input}* a, const ${input}* b, ${output}* c) {`,
    "  using namespace nvcuda::wmma;",
    `  fragment<matrix_a, ${shape}, ${input}, row_major> left;`,
    `  fragment<matrix_b, ${shape}, ${input}, col_major> right;`,
    `  fragment<accumulator, ${shape}, ${output}> sum;`,
    `  fill_fragment(sum, (${output})0);`,
    "  for (int k = 0; k < 4; k++) {",
    "    load_matrix_sync(left, a + k * 16, 64);",
    "    load_matrix_sync(right, b + k * 16, 64);",
    "    mma_sync(sum, left, right, sum);",
    "  }",
    "  store_matrix_sync(c, sum, 64, mem_row_major);",
    "}",
  ].join("\n"),
}));

const templates: Kernel[] = ["float, 4", "double, 2", "int, 8", "__half, 4"].map((argument, position) => ({
  name: `templated_${position}`,
  text: `template __global__ void templated<${argument}>(const ${argument.split(",")[0]}*, ${argument.split(",")[0]}*, int);`,
}));

const preamble = [
  "#include <cuda_fp16.h>",
  "#include <mma.h>",
  "#include <cstdio>",
  "#include <cassert>",
  "__constant__ float table_constant[32];",
  "__device__ int global_counter;",
  "__device__ __noinline__ float not_inlined(float x, int n) {",
  "  return n > 3 ? x * n : x / n;",
  "}",
  "__device__ __noinline__ float other_function(float x, int n) {",
  "  return x - n;",
  "}",
  "typedef float (*function_pointer)(float, int);",
  "__device__ function_pointer function_table[2] = {not_inlined, other_function};",
  "__device__ __noinline__ int recursive(int n) {",
  "  return n < 2 ? n : recursive(n - 1) + recursive(n - 2);",
  "}",
  "__device__ __noinline__ void modify(int* value, int n) {",
  "  *value += n;",
  "}",
  "template <typename T, int N> __global__ void templated(const T* a, T* b, int n) {",
  "  __shared__ T tile[N * 32];",
  "  for (int k = 0; k < N; k++)",
  "    tile[k * 32 + threadIdx.x % 32] = a[k * n + threadIdx.x];",
  "  __syncthreads();",
  "  T sum = a[0];",
  "#pragma unroll",
  "  for (int k = 0; k < N; k++)",
  "    sum = sum + tile[k + threadIdx.x % 32];",
  "  b[threadIdx.x] = sum;",
  "}",
];

function module(
  name: string,
  virtualArchitecture: string,
  parts: { readonly preamble: readonly string[]; readonly kernels: readonly Kernel[] },
): CorpusModule {
  return {
    name,
    virtualArchitecture,
    source: [...parts.preamble, ...parts.kernels.map((kernel) => kernel.text), ""].join("\n"),
    kernelCount: parts.kernels.length,
  };
}

const base: Kernel[] = [
  ...integers("signed32", "int"),
  ...integers("unsigned32", "unsigned"),
  ...integers("signed64", "long long"),
  ...integers("unsigned64", "unsigned long long"),
  ...integers("signed8", "signed char"),
  ...floats("single", "float", "f"),
  ...floats("double", "double", ""),
  ...fast,
  ...bits,
  ...halves,
  ...widths,
  ...sharedWidths,
  ...atomics,
  ...warp,
  ...control,
  ...local,
  ...spills,
  ...tensors,
  ...templates,
];

/** The kernels of the corpus as modules to compile: all of them, or every `stride`-th. */
export function corpusModules(stride = 1): readonly CorpusModule[] {
  const picked = (kernels: readonly Kernel[]): readonly Kernel[] =>
    kernels.filter((_, position) => position % stride === 0);
  return [
    module("base", "compute_75", { preamble, kernels: picked(base) }),
    module("modern", "compute_80", { preamble: modernPreamble, kernels: picked(modern) }),
  ];
}
