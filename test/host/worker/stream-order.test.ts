import { expect, test } from "vitest";
import type { EvaluationTask } from "../../../server/core/ports/evaluator";
import type { KernelSpec } from "../../../server/core/workload/spec";
import type { RunRequest } from "../../../server/host/worker/evaluation/kernel-runner";
import { evaluate, evaluatorOfFile } from "./evaluation-under-test";

const under = evaluatorOfFile({ limits: { runSeconds: 60 } });

const spec: KernelSpec = {
  file: "steps.cu",
  kernel: "scale",
  dialect: "cuda",
  run: {
    kind: "entry",
    entry: {
      call: "steps.cu::run",
      arguments: ["x", "y", { value: "n", dtype: "int32" }, { value: "step", dtype: "int32" }],
    },
  },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [{ sizes: { n: 3000 } }],
  reference: { kind: "expression", expressions: { y: "3 * x + 1" } },
  objective: "modelled-bound",
};

/**
 * Host code between the copies in and out, of which each case chooses one: `t` is scratch, `y` the result.
 * All of it is compiled once, as that takes longer than all checks.
 */
const sourceWith = (choices: readonly string[]): string => `#include <atomic>
#include <thread>
#include <vector>
constexpr int kBlock = 128;
__global__ void scale(const float* x, float* t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) t[i] = 3.0f * x[i];
}
__global__ void addOne(const float* t, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = t[i] + 1.0f;
}
__global__ void addTo(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += 3.0f * x[i] + 1.0f;
}
void run(const std::vector<float>& in, std::vector<float>& out, int n, int step) {
  const size_t bytes = n * sizeof(float);
  const int blocks = (n + kBlock - 1) / kBlock;
  float *x, *t, *y;
  cudaStream_t a, b, blocking;
  cudaEvent_t done;
  cudaMalloc(&x, bytes);
  cudaMalloc(&t, bytes);
  cudaMalloc(&y, bytes);
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaStreamCreate(&blocking);
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  cudaMemset(y, 0, bytes);
  cudaMemset(t, 0, bytes);
  cudaMemcpy(x, in.data(), bytes, cudaMemcpyHostToDevice);
  cudaDeviceSynchronize();
  ${choices.map((steps, index) => `if (step == ${index}) {\n${steps}\n}`).join("\n")}
  cudaDeviceSynchronize();
  cudaMemcpy(out.data(), y, bytes, cudaMemcpyDeviceToHost);
ended:
  cudaEventDestroy(done);
  for (cudaStream_t each : {a, b, blocking}) cudaStreamDestroy(each);
  for (float* each : {x, t, y}) cudaFree(each);
}
`;

const first = (stream: string): string => `scale<<<blocks, kBlock, 0, ${stream}>>>(x, t, n);`;
const second = (stream: string): string => `addOne<<<blocks, kBlock, 0, ${stream}>>>(t, y, n);`;
const inOrder = first("a") + second("a");

interface Judged {
  readonly passed: boolean;
  readonly kinds: readonly string[];
}

/** Steps of the host. */
type Steps = readonly [title: string, steps: string];

/** The two kernels as nodes of a graph; `edges`: what the second one waits for. */
const graph = (edges: string): string => `
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaGraphNode_t scaled, added;
  cudaGraphCreate(&graph, 0);
  void* ofFirst[] = {&x, &t, &n};
  void* ofSecond[] = {&t, &y, &n};
  cudaKernelNodeParams one = {(void*)scale, dim3(blocks), dim3(kBlock), 0, ofFirst, nullptr};
  cudaKernelNodeParams two = {(void*)addOne, dim3(blocks), dim3(kBlock), 0, ofSecond, nullptr};
  cudaGraphAddKernelNode(&scaled, graph, nullptr, 0, &one);
  cudaGraphAddKernelNode(&added, graph, ${edges}, &two);
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, a);
  cudaStreamSynchronize(a);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);`;

const wrong: readonly Steps[] = [
  ["a kernel on another stream without an event", first("a") + second("b")],
  [
    "an event that is recorded ahead of the work it should stand for",
    `cudaEventRecord(done, a); ${first("a")} cudaStreamWaitEvent(b, done, 0); ${second("b")}`,
  ],
  [
    "a fill on the default stream, which a non-blocking stream does not wait for",
    "cudaMemsetAsync(y, 0, bytes); addTo<<<blocks, kBlock, 0, a>>>(x, y, n);",
  ],
  ["a kernel on the default stream behind one on a non-blocking stream", first("a") + second("0")],
  [
    "a copy within the device on another stream",
    `addTo<<<blocks, kBlock, 0, a>>>(x, t, n); cudaMemcpyAsync(y, t, bytes, cudaMemcpyDeviceToDevice, b);`,
  ],
  [
    "a copy to the host that does not wait for a non-blocking stream",
    `addTo<<<blocks, kBlock, 0, a>>>(x, y, n);
     cudaMemcpy(out.data(), y, bytes, cudaMemcpyDeviceToHost);
     goto ended;`,
  ],
  [
    "two blocking streams, which wait for the default stream only",
    `cudaStream_t other; cudaStreamCreate(&other); ${first("blocking")} ${second("other")}
     cudaDeviceSynchronize(); cudaStreamDestroy(other);`,
  ],
  [
    "the wrong stream is waited for",
    `${first("a")} cudaStreamSynchronize(b); ${second("b")} cudaStreamSynchronize(b);`,
  ],
  ["two kernels of a graph without an edge between them", graph("nullptr, 0")],
];

/** Memory of the host: how it is taken, and given back. */
type HostMemory = Readonly<Record<"taken" | "back", string>>;

/** Parts of the vector go round two streams, through memory of the host. */
const pipeline = (memory: HostMemory, chosen: string): string => `
  ${memory.taken}
  for (int part = 0; part < 4; ++part) {
    const cudaStream_t stream = ${chosen};
    const int from = part * n / 4, count = (part + 1) * n / 4 - from;
    for (int i = 0; i < count; ++i) host[from + i] = in[from + i];
    cudaMemcpyAsync(t + from, host + from, count * sizeof(float), cudaMemcpyHostToDevice, stream);
    scale<<<(count + kBlock - 1) / kBlock, kBlock, 0, stream>>>(t + from, t + from, count);
    addOne<<<(count + kBlock - 1) / kBlock, kBlock, 0, stream>>>(t + from, y + from, count);
    cudaMemcpyAsync(out.data() + from, y + from, count * sizeof(float), cudaMemcpyDeviceToHost, stream);
  }
  cudaDeviceSynchronize();
  ${memory.back}
  goto ended;`;

const right: readonly Steps[] = [
  [
    "an event between two streams",
    `${first("a")} cudaEventRecord(done, a); cudaStreamWaitEvent(b, done, 0); ${second("b")}`,
  ],
  ["two kernels of a graph with an edge between them", graph("&scaled, 1")],
  ["a synchronisation between two streams", `${first("a")} cudaStreamSynchronize(a); ${second("b")}`],
  [
    "the host waits for an event",
    `${first("a")} cudaEventRecord(done, a); cudaEventSynchronize(done); ${second("b")}`,
  ],
  [
    "the host asks for an event until it is there",
    `${first("a")} cudaEventRecord(done, a);
     while (cudaEventQuery(done) == cudaErrorNotReady) {}
     ${second("b")}`,
  ],
  ["the default stream waits for a blocking one", first("blocking") + second("0")],
  ["a blocking stream waits for the default one", first("0") + second("blocking")],
  ["a stream for each thread is a blocking one", first("cudaStreamPerThread") + second("cudaStreamLegacy")],
  [
    "fork and join by events",
    `const int half = n / 2;
     cudaEventRecord(done, blocking);
     cudaStreamWaitEvent(a, done, 0);
     cudaStreamWaitEvent(b, done, 0);
     scale<<<blocks, kBlock, 0, a>>>(x, t, half);
     scale<<<blocks, kBlock, 0, b>>>(x + half, t + half, n - half);
     for (cudaStream_t lane : {a, b}) {
       cudaEventRecord(done, lane);
       cudaStreamWaitEvent(blocking, done, 0);
     }
     ${second("blocking")}`,
  ],
  [
    "memory of a stream's pool that another one gives back",
    `float* s;
     cudaMallocAsync(&s, bytes, a);
     scale<<<blocks, kBlock, 0, a>>>(x, s, n);
     cudaEventRecord(done, a);
     cudaStreamWaitEvent(b, done, 0);
     addOne<<<blocks, kBlock, 0, b>>>(s, y, n);
     cudaFreeAsync(s, b);`,
  ],
  [
    "threads of the host, each with a stream of its own",
    `const auto part = [&](int from, int count) {
       cudaStream_t own;
       cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
       for (int round = 0; round < 3; ++round) {
         scale<<<(count + 31) / 32, 32, 0, own>>>(x + from, t + from, count);
         addOne<<<(count + 31) / 32, 32, 0, own>>>(t + from, y + from, count);
       }
       cudaStreamSynchronize(own);
       cudaStreamDestroy(own);
     };
     std::thread other(part, 0, n / 2);
     part(n / 2, n - n / 2);
     other.join();`,
  ],
  [
    "a host function that says when a stream has come so far",
    `static std::atomic<bool> isDone;
     isDone = false;
     ${first("a")}
     cudaLaunchHostFunc(a, [](void*) { isDone = true; }, nullptr);
     while (!isDone) std::this_thread::yield();
     ${second("b")}`,
  ],
  [
    "memory that host and kernels share",
    `float* m;
     cudaMallocManaged(&m, bytes);
     for (int i = 0; i < n; ++i) m[i] = in[i];
     scale<<<blocks, kBlock, 0, a>>>(m, t, n);
     cudaStreamSynchronize(a);
     ${second("b")}
     cudaStreamSynchronize(b);
     cudaFree(m);`,
  ],
  [
    "times taken on the default stream around work of blocking ones",
    `cudaEvent_t from, to;
     float milliseconds;
     cudaEventCreate(&from);
     cudaEventCreate(&to);
     cudaEventRecord(from);
     ${first("blocking")}
     cudaEventRecord(to);
     cudaEventSynchronize(to);
     cudaEventElapsedTime(&milliseconds, from, to);
     cudaEventDestroy(from);
     cudaEventDestroy(to);
     ${second("a")}`,
  ],
  [
    "more work than is kept back",
    `for (int round = 0; round < 1080; ++round) cudaMemsetAsync(t, 0, sizeof(float), a);
     for (int round = 0; round < 20; ++round) scale<<<1, 32, 0, a>>>(x, t, 32);
     ${first("a")}
     cudaEventRecord(done, a);
     cudaStreamWaitEvent(b, done, 0);
     ${second("b")}`,
  ],
  [
    "streams that a graph has captured",
    `cudaGraph_t graph; cudaGraphExec_t all;
     cudaStreamBeginCapture(a, cudaStreamCaptureModeRelaxed);
     ${first("a")}
     cudaEventRecord(done, a);
     cudaStreamWaitEvent(b, done, 0);
     ${second("b")}
     cudaEventRecord(done, b);
     cudaStreamWaitEvent(a, done, 0);
     cudaStreamEndCapture(a, &graph);
     cudaGraphInstantiate(&all, graph, 0);
     cudaGraphLaunch(all, a);
     cudaStreamSynchronize(a);
     cudaGraphExecDestroy(all);
     cudaGraphDestroy(graph);`,
  ],
  [
    "a stream that is destroyed while it works",
    `cudaStream_t aside; cudaStreamCreate(&aside); ${first("aside")} cudaStreamDestroy(aside); cudaDeviceSynchronize(); ${second("b")}`,
  ],
  ...Object.entries({
    pinned: { taken: "float* host; cudaMallocHost(&host, bytes);", back: "cudaFreeHost(host);" },
    pageable: {
      taken: "static std::vector<float> kept; kept.resize(n); float* host = kept.data();",
      back: "",
    },
  }).flatMap(([kind, memory]): readonly Steps[] => [
    [`a pipeline over ${kind} memory`, pipeline(memory, "part % 2 == 0 ? a : b")],
    [`a pipeline of a blocking stream over ${kind} memory`, pipeline(memory, "blocking")],
  ]),
];

const all = [...wrong, ...right];
const source = sourceWith(all.map(([, steps]) => steps));
const baseline = sourceWith(all.map(() => inOrder));

/** The orders in which the judge has the streams of a version run, after that of the calls. */
const orders: readonly Pick<RunRequest, "order" | "streams">[] = [
  {},
  { streams: "latest-first", order: "descending" },
  { streams: "others-first" },
];

/** Whether the values are right in each of the orders, asked of one process. */
async function rightInOrders([title]: Steps): Promise<readonly boolean[]> {
  const n = 1000;
  const shape = { sizes: { n, step: all.findIndex((each) => each[0] === title) } };
  const x = Float32Array.from({ length: n }, (_, index) => index % 97);
  const expected = x.map((value) => 3 * value + 1);
  const task: EvaluationTask = {
    ...{ spec: { ...spec, shapes: [shape] }, specFolder: "", baseline: { "steps.cu": source } },
    target: { kind: "vgpu", architecture: "sm_80" },
  };
  return under.evaluator.examined<readonly boolean[]>(task, new AbortController().signal, {
    tooLong: [],
    ask: (found, signal) =>
      found.onBaseline(shape, async ({ session }, resolved) => {
        const given = { shape: resolved, inputs: [new Uint8Array(x.buffer)], signal };
        const values: boolean[] = [];
        for (const order of orders) {
          const run = await session.run({ ...given, ...order, counters: false, detectors: false });
          if (run.kind !== "ran") throw new Error(JSON.stringify(run));
          const [y] = run.outputs;
          values.push(y !== undefined && Buffer.compare(y, new Uint8Array(expected.buffer)) === 0);
        }
        return values;
      }),
  });
}

test.each(wrong.map((steps) => [steps[0], steps] as const))(
  "%s is right in the order of the calls alone",
  async (_, steps) => {
    const [inOfCalls, ...others] = await rightInOrders(steps);
    expect({ inOfCalls, everywhere: others.every(Boolean) }).toEqual({ inOfCalls: true, everywhere: false });
  },
);

test.each(right.map((steps) => [steps[0], steps] as const))("%s is right in each order", async (_, steps) => {
  expect(await rightInOrders(steps)).toEqual(orders.map(() => true));
});

/** What the judge makes of a version of a kernel that keeps the order. */
async function judged([title]: Steps): Promise<Judged | string> {
  const step = all.findIndex((each) => each[0] === title);
  const { checked } = await evaluate(under.evaluator, {
    spec: { ...spec, shapes: [{ sizes: { n: 1000, step } }, { sizes: { n: 70, step }, heldOut: true }] },
    baseline: { "steps.cu": baseline },
    candidate: { "steps.cu": source },
    tier: "full",
  });
  if (checked.kind !== "checked") return JSON.stringify(checked);
  const failed = checked.cases.filter(({ passed }) => !passed);
  return {
    passed: failed.length === 0,
    kinds: failed.flatMap(({ findings }) => findings.slice(0, 1).map(({ kind }) => kind)),
  };
}

/** Some of each; what is missing in the kernel as it was, too, is among the cases of `unwaited-streams`. */
test.each([
  ["wrong", "a kernel on another stream without an event"],
  ["wrong", "a copy to the host that does not wait for a non-blocking stream"],
  ["right", "threads of the host, each with a stream of its own"],
  ["right", "streams that a graph has captured"],
  ["right", "a pipeline over pinned memory"],
] as const)("the judge calls it %s: %s", async (verdict, title) => {
  expect(await judged([title, ""])).toEqual(
    verdict === "right" ? { passed: true, kinds: [] } : { passed: false, kinds: ["unordered-streams"] },
  );
});
