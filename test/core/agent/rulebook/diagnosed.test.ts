import { beforeAll, expect, test } from "vitest";
import { constantsApart } from "../../../../server/core/agent/rulebook/cuda/causes/constants-apart";
import { diagnosed } from "../../../../server/core/agent/rulebook/diagnosis/index";
import type { RuleParse } from "../../../../server/core/agent/rulebook/rule";
import { readCase } from "./case-file";
import { ruleParse } from "./grammars";

let parse: RuleParse;
beforeAll(async () => {
  parse = await ruleParse();
});

/** A score of each item for each pixel, with a logarithm of something. */
const scores = (what: string): string => `//@case {"kernel": "assign"}
struct Item { float weight; float mean; };
__device__ inline float score(const Item& item, float x) {
  const float d = x - item.mean;
  const float spread = ${what};
  return logf(spread) - d * d;  //@ instructions=90000
}
__global__ void assign(const float* x, const Item* items, float* best, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float most = -1e30f;
  for (int c = 0; c < k; ++c) most = fmaxf(most, score(items[c], x[i]));  //@ instructions=20000 globalLoadRequests=1000
  best[i] = most;
}
`;

/** The least mark of each window of eight places, by a function or a loop of its own. */
const windows = (place: string, mark: string): string => `//@case {"kernel": "least"}
__device__ unsigned stir(unsigned h) { h ^= h >> 16; h *= 0x85ebca6bu; return h ^ (h >> 13); }  //@ instructions=20000
__device__ unsigned marked(const unsigned char* s) {
  unsigned h = 0;
  for (int k = 0; k < 11; ++k) h = h * 5u + s[k];  //@ instructions=90000
  return stir(h);
}
__global__ void least(const unsigned char* text, unsigned* out, int n) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned best = ~0u;
  for (int w = 0; w < 8; ++w) {  //@ instructions=3000
    const int at = ${place};
    ${mark}  //@ instructions=60000
    best = min(best, m);
  }
  if (p < n) out[p] = best;
}
`;
const inline = "unsigned m = 0; for (int k = 0; k < 11; ++k) m = m * 5u + text[at + k];";

/** A function of three places around a thread's own, or of a single one. */
const around = (second: string, third: string): string => `//@case {"kernel": "flow"}
__device__ float pressure(float r, float s) { return r * s * r / (1.0f - r * 0.3f) + expf(-r) * sqrtf(r) + r * 0.1f; }  //@ instructions=90000
__global__ void flow(const float* u, const float* v, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i + 1 < n)
    out[i] = pressure(u[i - 1], v[i - 1]) - 2.0f * pressure(${second}) + pressure(${third});  //@ instructions=9000
}
`;

/** What a function makes of a vertex that an edge names, with the edge's own number or without it. */
const ends = (more: string, first: number): string => `//@case {"kernel": "ends"}
__device__ float value(float x, float s) { return expf(-x * x) + logf(1.0f + x * s) + sinf(x) * cosf(x * s); }  //@ instructions=90000
__global__ void ends(const float* v, const int2* edges, float* out, int m, float s) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= m) return;
  const int2 edge = edges[e];
  out[e] = value(v[edge.x], ${more});  //@ instructions=9000 globalLoadRequests=2048 globalLoadBytes=262144 globalLoadSectors=60000 loadFirst=${first}
}
`;

/** A walk from place to place, each of which says the next one or not. */
const walk = (next: string): string => `//@case {"kernel": "walk"}
__global__ void walk(const int* parent, const float* w, float* out, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  int u = v;
  for (int d = 0; d < 16; ++d) {
    s += w[u];  //@ globalLoadRequests=160 globalLoadSectors=5000 globalLoadSectorsIdeal=640
    u = ${next};  //@ globalLoadRequests=160 globalLoadSectors=5000 globalLoadSectorsIdeal=640
  }
  if (v < n) out[v] = s;
}
`;

/** Two kernels behind something that fills what they store. */
const filled = (fill: string, store: string): string => `//@case {"kernel": "scale"}
__global__ void clear(float* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = 0.0f;  //@ globalStoreSectors=4096
}
__global__ void scale(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) ${store};  //@ globalLoadSectors=4096 globalStoreSectors=4096
}
void run(const float* x, float* y, int n) {
  ${fill}
  scale<<<(n + 255) / 256, 256>>>(x, y, n);
}
`;

/** Two lists of neighbours, compared in some way. */
const lists = (compared: string): string => `//@case {"kernel": "common"}
__global__ void common(const int* off, const int* adj, const int* eu, const int* ev, int* out, int m) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int u = eu[t], v = ev[t], c = 0;
  for (int i = off[u]; i < off[u + 1]; ++i) {
    const int sought = adj[i];
    for (int j = off[v]; j < off[v + 1]; ++j)  //@ branches=9000 instructions=20000
      ${compared};  //@ instructions=90000
  }
  if (t < m) out[t] = c;
}
`;

const triton = "import torch\nimport triton\nimport triton.language as tl\n\n";

/** Two launches of one function, with something of the host between them or behind them. */
const peaks = (between: string, behind: string): string => `#@case {"kernel": "peak"}
${triton}
@triton.jit
def peak(x, part, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(part + tl.program_id(0), tl.max(tl.load(x + at, mask=at < n, other=0.0)))  #@ instructions=9000


@triton.jit
def scale(x, y, by, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + at, tl.load(x + at, mask=at < n) * by, mask=at < n)


def normalized(x):
    part = torch.empty(64, device=x.device)
    peak[(64,)](x, part, x.numel(), B=1024)
    by = ${between}
    y = torch.empty_like(x)
    scale[(64,)](x, y, by, x.numel(), B=1024)
    ${behind}
    return y
`;

/** Scores of a query head with keys that heads share or not. */
const headScores = (head: string): string => `#@case {"kernel": "decode"}
${triton}
@triton.jit
def decode(q, k, out, n, heads, GROUP: tl.constexpr, D: tl.constexpr, B: tl.constexpr):
    bh = tl.program_id(0)
    b = bh // heads
    h = bh % heads
    d = tl.arange(0, D)
    row = tl.load(q + bh * D + d)
    total = 0.0
    for start in range(0, n, B):
        s = start + tl.arange(0, B)
        at = (b * heads + ${head}) * n * D + s[:, None] * D + d[None, :]
        keys = tl.load(k + at)  #@ globalLoadSectors=90000
        total += tl.sum(tl.sum(row[None, :] * keys, axis=1), axis=0)  #@ instructions=90000
    tl.store(out + bh, total)


def attend(q, k, out, n, heads):
    decode[(64,)](q, k, out, n, heads, GROUP=4, D=64, B=64)
`;

/** A tuned kernel, in a loop over packs of some length. */
const packs = (key: string, size: string): string => `#@case {"kernel": "mul"}
${triton}
@triton.autotune(configs=[triton.Config({"B": 256}), triton.Config({"B": 512})], key=${key})
@triton.jit
def mul(x, y, M, N, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + at, 2 * tl.load(x + at, mask=at < M * N), mask=at < M * N)  #@ instructions=9000


def doubled(x):
    M, N = x.shape
    y = torch.empty_like(x)
    mul[lambda meta: (triton.cdiv(M * N, meta["B"]),)](x, y, M, N)
    return y


def train(steps):
    for step in range(steps):
        m = packed(step)
        x = torch.randn(${size}, 64)
        doubled(x)
`;

/** Short elements of two matrices, which are multiplied as a product is, or by elements. */
const shortElements = (made: string): string => {
  const tensor = { dtype: "float16", shape: [1024, 1024] };
  const spec = { inputs: { x: tensor, w: tensor }, outputs: { y: tensor } };
  return `#@case ${JSON.stringify({ kernel: "mix", spec })}
${triton}
@triton.jit
def mix(x, w, y, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    a = tl.load(x + at).to(tl.float32)
    b = tl.load(w + at).to(tl.float32)
    c = ${made}  #@ instructions=9000 fp32Flops=4000000000 fp32Instructions=9000
    tl.store(y + at, c.to(tl.float16))


def mixed(x, w):
    y = torch.empty_like(x)
    mix[(4096,)](x, w, y, x.numel(), B=256)
    return y
`;
};

test.each([
  ["a product of short elements", shortElements("tl.sum(a[:, None] * b[None, :], axis=1)"), true],
  ["cosines of short elements", shortElements("a * tl.cos(b)"), false],
] as const)("tensor cores for %s", (_, text, expected) => {
  const found = diagnosed(readCase("case.py", text, parse), undefined);
  expect(found.some((each) => each.cause === "no-tensor-cores")).toBe(expected);
});

test.each([
  ["as many blocks as were judged", "(n + 255) / 256", true],
  ["more blocks than were judged", "(paths + 255) / 256", false],
] as const)("the grid is small where the source launches %s", (_, grid, expected) => {
  const bound = { gpu: "A100 40GB SXM", nanoseconds: 1000, terms: { issue: 1000 }, binding: "issue" };
  const launches = [
    { grid: [4, 1, 1], block: [256, 1, 1], threadsPerBlock: 256, blocks: 4, times: 1, bound },
  ];
  const text = `//@case ${JSON.stringify({ kernel: "walk", launches })}
__global__ void walk(float* out, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 1.0f;
  for (int k = 0; k < steps; ++k) s = s * 1.01f + 0.5f;  //@ instructions=900000
  if (i < n) out[i] = s;
}
void price(float* out, int n, cudaStream_t stream) {
  const int paths = 262144;
  walk<<<${grid}, 256, 0, stream>>>(out, paths, 64);
}
`;
  const found = diagnosed(readCase("case.cu", text, parse), undefined);
  expect(found.some((each) => each.cause === "small-grid")).toBe(expected);
});

test.each([
  ["a number that is asked for between two launches", peaks("part.max().item()", "pass"), "host-waits", true],
  ["a number that is asked for in the end", peaks("part", "print(y.max().item())"), "host-waits", false],
  ["keys that all heads of a group load", headScores("h // GROUP"), "shared-operands", true],
  ["keys of each head", headScores("h"), "shared-operands", false],
  ["an autotuner's key that each pack changes", packs('["M", "N"]', "m"), "recompiled-sizes", true],
  ["an autotuner's key of a layer's size", packs('["N"]', "m"), "recompiled-sizes", false],
  ["an autotuner's key, and packs of one size", packs('["M", "N"]', "128"), "recompiled-sizes", false],
] as const)("%s", (_, text, cause, expected) => {
  const found = diagnosed(readCase("case.py", text, parse), undefined);
  expect(found.some((each) => each.cause === cause)).toBe(expected);
});

test.each([
  ["a function's value of an item alone", scores("item.weight * 2.0f"), "recomputed-values", true],
  ["a function's value of the pixel, too", scores("item.weight * d"), "recomputed-values", false],
  [
    "marks of a window's places",
    windows("p + w", "unsigned m = marked(text + at);"),
    "recomputed-values",
    true,
  ],
  ["such marks by a loop", windows("p + w", inline), "recomputed-values", true],
  [
    "marks of windows side by side",
    windows("p * 8 + w", "unsigned m = marked(text + at);"),
    "recomputed-values",
    false,
  ],
  [
    "marks of a place in its window",
    windows("p + w", "unsigned m = marked(text + at) ^ stir(w);"),
    "recomputed-values",
    true,
  ],
  [
    "marks with the thread's own number",
    windows("p + w", "unsigned m = stir(text[at] ^ p);"),
    "recomputed-values",
    false,
  ],
  ["a function of three neighbours", around("u[i], v[i]", "u[i + 1], v[i + 1]"), "recomputed-values", true],
  ["a function of two of them", around("u[i], v[i]", "u[i], v[i]"), "recomputed-values", false],
  ["a function of a vertex for each edge", ends("s", 512), "recomputed-values", true],
  ["a function of vertices with an edge each", ends("s", 8192), "recomputed-values", false],
  ["a function of an edge's number, too", ends("e * s", 512), "recomputed-values", false],
  ["a walk along parents", walk("parent[u]"), "dependent-loads", true],
  ["a walk by steps", walk("(u + parent[v]) % n"), "dependent-loads", false],
  ["elements at places that are loaded", walk("parent[u]"), "looked-up-elements", true],
  ["elements at places that are loaded, as structures", walk("parent[u]"), "array-of-structures", false],
  [
    "a kernel that clears what is stored",
    filled("clear<<<(n + 255) / 256, 256>>>(y, n);", "y[i] = x[i]"),
    "overwritten-stores",
    true,
  ],
  [
    "a memset of what is stored",
    filled("cudaMemset(y, 0, n * sizeof(float));", "y[i] = x[i]"),
    "overwritten-stores",
    true,
  ],
  [
    "a memset of what is added to",
    filled("cudaMemset(y, 0, n * sizeof(float));", "y[i] += x[i]"),
    "overwritten-stores",
    false,
  ],
  [
    "a memset of what is stored in part",
    filled("cudaMemset(y, 0, n * sizeof(float));", "if (x[i] > 0) y[i] = x[i]"),
    "overwritten-stores",
    false,
  ],
  ["lists that are compared pair by pair", lists("if (adj[j] == sought) ++c"), "linear-search", true],
  ["lists whose pairs are added up", lists("c += adj[j] * sought"), "linear-search", false],
] as const)("%s", (_, text, cause, expected) => {
  const found = diagnosed(readCase("case.cu", text, parse), undefined);
  expect(found.some((each) => each.cause === cause)).toBe(expected);
});

test.each([
  ["a table of constants at places of the lanes", "y = table[in.x];", 4096],
  ["the same beside an element of global memory", "y = table[in.x] + gain[i * 32];", 36864],
  ["constants that all lanes share", "y = table[n];", 36864],
] as const)("sectors of %s", (_, line, expected) => {
  const text = `//@case {"kernel": "decode"}
__constant__ float table[256];
__global__ void decode(const uchar4* codes, const float* gain, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const uchar4 in = codes[i];
  float y;
  ${line}  //@ globalLoadSectors=32768 globalLoadSectorsIdeal=0
  out[i] = y;  //@ globalLoadSectors=4096 globalLoadSectorsIdeal=4096
}
`;
  const { counters } = constantsApart(readCase("case.cu", text, parse));
  expect(counters.totals.globalLoadSectors).toBe(expected);
  expect(counters.lines.reduce((sum, each) => sum + each.globalLoadSectors, 0)).toBe(expected);
});
