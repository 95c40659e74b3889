import { expect, test } from "vitest";
import { withSource } from "../../../server/core/language/source-file";
import { askedInputs } from "../../../server/core/language/values/asked-inputs";
import { loadGrammars } from "../../../server/host/toolchain/grammars";

const grammars = await loadGrammars();

function cuda(statements: string, more = ""): string {
  return `${more}
__global__ void k(const float* x, const float* v, float* y, int n, float rate) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  ${statements}
}`;
}

/** The names that are asked above zero, in brackets those that are compared, with a `<` not above one. */
function told(path: string, text: string): string {
  const asked = withSource(grammars, path, text, (source) => askedInputs(source, "k"));
  if (asked === undefined) return "no kernel";
  const all = new Set([...asked.positive, ...asked.compared, ...asked.below]);
  return [...all]
    .sort()
    .map((name) => {
      const mark = asked.below.has(name) ? `${name}<` : name;
      return asked.compared.has(name) ? `(${mark})` : mark;
    })
    .join(" ");
}

test.each([
  ["y[i] = sqrtf(v[i]);", "v"],
  ["y[i] = x[i] / v[i];", "v"],
  ["float s = v[i]; float dt = s * rate; y[i] = rsqrtf(dt) + __logf(x[i] / s);", "v x"],
  ["float w = x[i] * v[i]; w += 1e-6f; y[i] = powf(w, 1.5f);", "v x"],
  ["y[i] = pow(x[i], 2) + powf(v[i], 3.0f);", ""],
  ["y[i] = sqrtf(x[i] * x[i] + v[i] * v[i]);", ""],
  ["float d = x[i] - v[i]; y[i] = sqrtf(d * d) + sqrtf(fabsf(d));", ""],
  ["y[i] = sqrt(1.0f - v[i] * v[i]);", "v<"],
  ["y[i] = logf(1.f - x[i]);", "x<"],
  ["y[i] = logf(fmaxf(x[i], 1e-6f));", ""],
  ["y[i] = x[i] > 0.0f ? logf(x[i]) : -1e30f;", "(x)"],
  ["float s = 0; for (int j = 0; j < n; ++j) s += x[j]; y[i] = x[i] / s;", ""],
  ["float s = 0; for (int j = 0; j < n; ++j) s = s + x[j]; y[i] = v[i] / s;", ""],
  ["float s = 0; for (int j = 0; j < n; ++j) s += x[j] * x[j]; y[i] = v[i] / sqrtf(s / n + rate);", ""],
  ["y[i] = x[i] / (x[i] - v[i]);", ""],
  ["y[(int)v[i]] = x[i];", "v"],
  ["int bin = (unsigned int)(v[i] * n); atomicAdd(&y[bin], x[i]);", "v"],
  ["int row = __float2int_rz(v[i]) * 4; y[i] = x[row + 1];", "v"],
  ["int q = (int)v[i]; y[i] = q + x[i];", ""],
  ["int bin = (int)v[i]; if (v[i] >= 0.f && v[i] < n) y[bin] = x[i];", "(v)"],
  ["const float* row = v + i * n; y[i] = __logf(__ldg(&row[3])) / *x;", "v x"],
  ["float up = expf(v[i] * sqrtf(x[i] / n)); y[i] = (up - 1.0f / up) / (up - 1.0f);", "x"],
])("what %s asks above zero", (statements, names) => {
  expect(told("a.cu", cuda(statements))).toBe(names);
});

test("functions of the file are followed, and launches hand names over", () => {
  const more = "__device__ float half_width(float a, float t) { float s = a * t; return sqrtf(s); }";
  const launch =
    "void run(const float* in, float* sigma, float* out, int n) { k<<<n, 32>>>(in, (float*)sigma, out, n, 1); }";
  expect(told("a.cu", `${cuda("y[i] = half_width(v[i], rate);", more)}\n${launch}`)).toBe("sigma v");
});

test("names and functions may lead to each other", () => {
  const more = `
__device__ float step(float a, float b) { float c = a; for (int k = 0; k < 3; ++k) c = step(c, b) / b; return c; }
__device__ float settle(float a) { a = step(a, a); return sqrtf(a); }`;
  const statements = "float s = x[i]; for (int k = 0; k < n; ++k) s = step(s, v[i]); y[i] = settle(s);";
  expect(told("a.cu", cuda(statements, more))).toBe("v x");
});

test("members of structures ask it of the whole", () => {
  const more = "struct Gas { float mass, heat; };";
  const kernel = `${more}
__global__ void k(const Gas* gas, const int* kind, float* y) {
  Gas g = gas[kind[threadIdx.x]];
  y[threadIdx.x] = g.mass / (2.0f * g.heat);
}`;
  expect(told("a.cu", kernel)).toBe("gas");
});

test("of Triton", () => {
  const text = `
import triton
import triton.language as tl

@triton.jit
def k(x_ptr, v_ptr, w_ptr, y_ptr, n, eps, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    m = o < n
    x = tl.load(x_ptr + o, mask=m, other=1.0).to(tl.float32)
    v = tl.load(v_ptr + o, mask=m)
    w = tl.load(w_ptr + o, mask=m)
    r = 1.0 / tl.sqrt(tl.sum(w * w, 0) / n + eps)
    tl.store(y_ptr + o, tl.where(w > 0, tl.log(x) / v, w * r), mask=m)

def run(x, sigma, w):
    y = torch.empty_like(x)
    k[(1,)](x, sigma, w, y, x.numel(), 1e-5, B=64)
    return y
`;
  expect(told("a.py", text)).toBe("sigma v_ptr (w) (w_ptr) x x_ptr");
});
