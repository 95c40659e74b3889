import { type Kernel, custom, table } from "./corpus-kernels";

/** Headers of the kernels for sm_80 and later. */
export const modernPreamble = ["#include <cuda_bf16.h>", "#include <cuda_fp16.h>", "#include <cuda_fp8.h>"];

/** Kernels that need sm_80 or later. */
export const modern: Kernel[] = [
  ...table("bfloat", "__nv_bfloat16", [
    "__hadd(x, y)",
    "__hmul(x, y)",
    "__hfma(x, y, x)",
    "__float2bfloat16(__bfloat162float(x) / 3.f)",
    "__hmax(x, y)",
    "hexp(x)",
    "__hlt(x, y) ? x : y",
  ]),
  ...table("bfloat2", "__nv_bfloat162", [
    "__hadd2(x, y)",
    "__hfma2(x, y, x)",
    "__hmax2(x, y)",
    "__hmul2(x, y)",
  ]),
  ...table("later", "__half", ["__hmax(x, y)", "__hmin_nan(x, y)", "htanh(x)", "__hfma_relu(x, y, x)"]),
  custom("redux", [
    "p[i] = __reduce_add_sync(~0u, p[i]) + __reduce_max_sync(~0u, p[n]);",
    "p[n] = __reduce_xor_sync(~0u, (unsigned)p[n]);",
  ]),
  custom("async_copy", [
    "__shared__ float4 tile[64];",
    "unsigned to = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x);",
    'asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(to), "l"((float4*)f + i));',
    'asm volatile("cp.async.commit_group;");',
    'asm volatile("cp.async.wait_group 0;");',
    "__syncthreads();",
    "((float4*)f)[i] = tile[63 - threadIdx.x];",
  ]),
  custom("async_copy_narrow", [
    "__shared__ float tile[64];",
    "unsigned to = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x);",
    'asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(to), "l"(f + i));',
    'asm volatile("cp.async.wait_all;");',
    "__syncthreads();",
    "f[i] = tile[63 - threadIdx.x];",
  ]),
  custom("barrier_object", [
    "__shared__ long long bar;",
    "unsigned at = (unsigned)__cvta_generic_to_shared(&bar);",
    'if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 32;" :: "r"(at));',
    "__syncthreads();",
    "long long state;",
    'asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at));',
    "d[i] = (double)state;",
  ]),
  ...["1", "2", "4"].map((count) =>
    custom(`load_matrix_${count}`, [
      "__shared__ int tile[512];",
      "tile[threadIdx.x] = p[i];",
      "__syncthreads();",
      "int r[4] = {0, 0, 0, 0};",
      "unsigned at = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x * 4);",
      `asm volatile("ldmatrix.sync.aligned.m8n8.x${count}.shared.b16 {${["%0", "%1", "%2", "%3"].slice(0, Number(count)).join(", ")}}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));`,
      "p[i] = r[0] + r[1] * r[2] + r[3];",
    ]),
  ),
  ...["f32.f16.f16.f32", "f32.bf16.bf16.f32"].map((types, position) =>
    custom(`matrix_multiply_${position}`, [
      "float c0 = f[i], c1 = f[n], c2 = 0, c3 = 1;",
      `asm volatile("mma.sync.aligned.m16n8k16.row.col.${types} {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3) : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "r"(p[4]), "r"(p[5]));`,
      "f[i] = c0 + c1 + c2 + c3;",
    ]),
  ),
  custom("matrix_multiply_tf32", [
    "float c0 = f[i], c1 = f[n], c2 = 0, c3 = 1;",
    'asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};" : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3) : "r"(p[0]), "r"(p[1]), "r"(p[2]));',
    "f[i] = c0 + c1 + c2 + c3;",
  ]),
  custom("matrix_multiply_double", [
    "double c0 = d[i], c1 = d[n];",
    'asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+d"(c0), "+d"(c1) : "d"(d[1]), "d"(d[2]));',
    "d[i] = c0 + c1;",
  ]),
  custom("matrix_multiply_integer", [
    "int c0 = p[i], c1 = p[n];",
    'asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+r"(c0), "+r"(c1) : "r"(p[1]), "r"(p[2]));',
    "p[i] = c0 + c1;",
  ]),
  custom("matrix_multiply_bits", [
    "int c0 = p[i], c1 = p[n];",
    'asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%0, %1}, {%2}, {%3}, {%0, %1};" : "+r"(c0), "+r"(c1) : "r"(p[1]), "r"(p[2]));',
    "p[i] = c0 + c1;",
  ]),
  custom("eight_bit_floats", ["__nv_fp8_e4m3 e = __nv_fp8_e4m3(f[i]);", "f[n] = float(e) * 2;"]),
  custom("cache_hints", [
    "f[i] = f[n];",
    'asm volatile("prefetch.global.L2 [%0];" :: "l"(f + n));',
    'asm volatile("discard.global.L2 [%0], 128;" :: "l"(f));',
  ]),
  custom("relaxed", [
    'asm volatile("red.release.gpu.global.add.s32 [%0], %1;" :: "l"(p), "r"(n));',
    "int v;",
    'asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p + i));',
    "p[n] = v;",
  ]),
];
