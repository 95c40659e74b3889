import type { ScriptedReply } from "../harness/openai-script";

/** A kernel of which two loops are computed in double precision, far enough apart to be two changes. */
export const steeredKernel = `// Smooths a signal in two rounds.
__global__ void polish(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = x[i];
  for (int k = 0; k < 24; ++k) a = 0.999 * a + 0.001;

  // What lies between stays as it is.
  float middle = a * a;
  float rest = middle - a;

  for (int k = 0; k < 24; ++k) rest = 0.998 * rest + 0.002;
  y[i] = rest;
}

void launch(const float* x, float* y, int n) { polish<<<(n + 255) / 256, 256>>>(x, y, n); }
`;

export const steeredSpec = JSON.stringify({
  version: 1,
  kernel: "polish.cu::polish",
  launch: { arguments: ["x", "y", { value: "n", dtype: "int32" }] },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [{ sizes: { n: 131072 } }, { sizes: { n: 1000 } }],
  reference: "baseline",
});

/** One that no compiler takes, without a spec. */
export const brokenKernel = `__global__ void broken(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = undefined_name;
}
`;

/** A kernel that is right, with a spec that is not. */
export const misspelt = {
  source: `__global__ void twice(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
`,
  spec: `{
  "version": 1,
  "kernel": "twice.cu::twice",
  "launch": { "grid": ["ceil_div(n, 256)"], "block": [256], "arguments": ["x", { "value": "n", "dtype": "int32" }] },
  "inputs": { "x": { "dtype": "float32", "shape": ["n"] } },
  "outputs": { "x": { "dtype": "float32", "shape": ["n"] } },
  "shapes": [{ "sizes": { "n": 1024 } }],
  "reference": "baseline",
  "tolerence": { "absolute": 1e-6 }
}
`,
};

/** A kernel whose run its user ends as soon as there is something better. */
export const endedEarly = {
  source: `__global__ void soften(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = x[i];
  for (int k = 0; k < 24; ++k) a = 0.999 * a + 0.001;
  y[i] = a;
}

void launch_soften(const float* x, float* y, int n) { soften<<<(n + 255) / 256, 256>>>(x, y, n); }
`,
  spec: JSON.stringify({
    version: 1,
    kernel: "soften.cu::soften",
    launch: { arguments: ["x", "y", { value: "n", dtype: "int32" }] },
    inputs: { x: { dtype: "float32", shape: ["n"] } },
    outputs: { y: { dtype: "float32", shape: ["n"] } },
    shapes: [{ sizes: { n: 131072 } }, { sizes: { n: 1000 } }],
    reference: "baseline",
  }),
};

const edit = (old_text: string, new_text: string, path = "polish.cu"): ScriptedReply => ({
  calls: [{ name: "edit", arguments: { path, old_text, new_text } }],
});

const submit = (hypothesis: string): ScriptedReply => ({
  calls: [{ name: "submit_candidate", arguments: { hypothesis } }],
});

/** A model that looks first, makes both loops single, thinks once more and finishes. */
export const steeredModel: readonly ScriptedReply[] = [
  {
    text: "I read the loops first: they look expensive.",
    calls: [{ name: "read_file", arguments: { path: "polish.cu" } }],
    untilReleased: true,
  },
  edit("a = 0.999 * a + 0.001;", "a = 0.999f * a + 0.001f;"),
  edit("rest = 0.998 * rest + 0.002;", "rest = 0.998f * rest + 0.002f;"),
  submit("Compute both loops in single precision"),
  {
    text: "Both loops are single now. I look once more.",
    calls: [{ name: "read_file", arguments: { path: "polish.cu" } }],
    untilReleased: true,
  },
  { calls: [{ name: "finish", arguments: { reason: "Nothing else costs." } }] },
  // The run that its user ends: the last answer is never waited for to its end.
  edit("a = 0.999 * a + 0.001;", "a = 0.999f * a + 0.001f;", "soften.cu"),
  submit("Compute in single precision"),
  {
    text: "There may be more to gain.",
    calls: [{ name: "read_file", arguments: { path: "soften.cu" } }],
    untilReleased: true,
  },
];
