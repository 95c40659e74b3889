import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type KernelArgument,
  type LaunchRequest,
  DeviceMemory,
  compileKernel,
  launch,
  parsePtx,
} from "../../server/core/vgpu/index";
import { cachedFolder } from "../../server/setup/support/cached-folder.mjs";
import { inCache, inRepository } from "../../server/setup/support/layout.mjs";
import { run } from "../../server/setup/support/processes.mjs";
import { type Measurement, rounded } from "./bench";
import { lastObject, processorTime } from "./one-core";

/** What one contestant needed for one computation in seconds of processor time, and a sum over its result. */
interface Score {
  readonly seconds: number;
  readonly digest: number;
}

type Scores = Readonly<Record<string, Score>>;

interface Sizes {
  readonly softmax: { readonly rows: number; readonly columns: number };
  readonly layer_norm: { readonly rows: number; readonly columns: number };
  readonly matmul: { readonly size: number };
}

const peers = inRepository("test", "bench", "peers");
const triton = inRepository("test", "cases", "vgpu", "triton");

/** The numbers that every contestant starts from; the same formula as in inputs.py and loops.cpp. */
function numbers(count: number, seed = 0): Float32Array {
  return Float32Array.from({ length: count }, (_, index) => (((index + seed) * 37) % 101) / 101 - 0.5);
}

function digest(values: Float32Array): number {
  return values.reduce((sum, value, index) => sum + value * (1 + (index % 7)), 0);
}

/**
 * Bits of halves that hold the numbers exactly as rounding to nearest gives them (no subnormal ones are among
 * them).
 */
function halves(values: Float32Array): Uint16Array {
  return Uint16Array.from(values, (value) => {
    if (value === 0) return 0;
    const exponent = Math.floor(Math.log2(Math.abs(value)));
    const fraction = Math.abs(value) / 2 ** exponent;
    const scaled = (fraction - 1) * 1024;
    const below = Math.floor(scaled);
    const up = scaled - below > 0.5 || (scaled - below === 0.5 && below % 2 === 1);
    return (value < 0 ? 0x8000 : 0) + ((exponent + 15) << 10) + below + (up ? 1 : 0);
  });
}

/**
 * A launch from inputs to outputs: pointers to inputs and one output, in the kernel's order, then numbers.
 */
interface Job {
  readonly text: string;
  readonly entry: string;
  readonly grid: LaunchRequest["grid"];
  readonly block: LaunchRequest["block"];
  readonly shared: number;
  readonly arguments: readonly (
    | ArrayBufferView
    | { readonly output: number }
    | { readonly number: number }
    | { readonly float: number }
  )[];
}

/**
 * Seconds of processor time from inputs to outputs, with reading the PTX and generating code; counters and
 * detectors off. The best of `attempts`.
 */
async function score(job: Job, attempts: number): Promise<Score> {
  let best: Score = { seconds: Infinity, digest: NaN };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const start = processorTime();
    const result = runJob(job);
    const seconds = (processorTime() - start) / 1000;
    if (seconds < best.seconds) best = { seconds, digest: digest(result) };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return best;
}

function runJob({ text, entry, grid, block, shared, arguments: list }: Job): Float32Array {
  const parsed = parsePtx(text);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const compiled = compileKernel(parsed.value, entry, { counters: false, detectors: false });
  if (!compiled.ok) throw new Error(compiled.problem.reason);
  const memory = new DeviceMemory();
  let output = 0n;
  const values = list.map((entry): KernelArgument => {
    if ("number" in entry) return { kind: "integer", value: entry.number };
    if ("float" in entry) return { kind: "float", value: entry.float };
    if ("output" in entry)
      return { kind: "address", value: (output = memory.allocate("output", 4 * entry.output)) };
    return {
      kind: "address",
      value: memory.allocate("input", entry.byteLength, {
        initial: new Uint8Array(entry.buffer, entry.byteOffset, entry.byteLength),
      }),
    };
  });
  while (values.length < compiled.value.parameters.length) values.push({ kind: "address", value: 0n });
  const outcome = launch(compiled.value, {
    grid,
    block,
    dynamicSharedBytes: shared,
    arguments: values,
    memory,
    instructionBudget: 1e11,
  });
  if (outcome.kind !== "completed") throw new Error(`${entry} ended as ${outcome.kind}`);
  return new Float32Array(memory.read(output).buffer);
}

function tritonJob(name: string, entry: string, job: Pick<Job, "grid" | "arguments">): Job {
  const facts = JSON.parse(readFileSync(join(triton, "captured", `${name}.json`), "utf8")) as {
    readonly warps: number;
    readonly sharedBytes: number;
  };
  return {
    text: readFileSync(join(triton, "captured", `${name}.ptx`), "utf8"),
    entry,
    block: [32 * facts.warps, 1, 1],
    shared: facts.sharedBytes,
    ...job,
  };
}

/** The jobs of interpreter.py. */
function tritonJobs({ softmax, layer_norm: norm, matmul: { size } }: Sizes): Readonly<Record<string, Job>> {
  const n = (value: number): { readonly number: number } => ({ number: value });
  const [cells, normCells] = [softmax.rows * softmax.columns, norm.rows * norm.columns];
  return {
    softmax: tritonJob("softmax_f32", "softmax_kernel", {
      grid: [softmax.rows, 1, 1],
      arguments: [
        { output: cells },
        numbers(cells),
        n(softmax.columns),
        n(softmax.columns),
        n(softmax.columns),
      ],
    }),
    layer_norm: tritonJob("layer_norm_f32", "layer_norm_kernel", {
      grid: [norm.rows, 1, 1],
      arguments: [
        numbers(normCells),
        numbers(norm.columns, 3),
        numbers(norm.columns, 5),
        { output: normCells },
        n(norm.columns),
        n(norm.columns),
        { float: 1e-5 },
      ],
    }),
    matmul: tritonJob("matmul_f16", "matmul_kernel", {
      grid: [size / 64, size / 64, 1],
      arguments: [
        halves(numbers(size * size)),
        halves(numbers(size * size, 7)),
        { output: size * size },
        ...Array.from({ length: 6 }, () => n(size)),
      ],
    }),
  };
}

/** The jobs of simulator.py. */
function cudaJobs(
  text: string,
  { softmax, layer_norm: norm, matmul: { size } }: Sizes,
): Readonly<Record<string, Job>> {
  const [cells, normCells] = [softmax.rows * softmax.columns, norm.rows * norm.columns];
  const shared = { text, shared: 0 };
  return {
    softmax: {
      ...shared,
      entry: "softmax",
      grid: [softmax.rows, 1, 1],
      block: [64, 1, 1],
      arguments: [numbers(cells), { output: cells }, { number: softmax.columns }],
    },
    layer_norm: {
      ...shared,
      entry: "layer_norm",
      grid: [norm.rows, 1, 1],
      block: [64, 1, 1],
      arguments: [
        numbers(normCells),
        numbers(norm.columns, 3),
        numbers(norm.columns, 5),
        { output: normCells },
        { number: norm.columns },
        { float: 1e-5 },
      ],
    },
    matmul: {
      ...shared,
      entry: "matmul",
      grid: [size / 16, size / 16, 1],
      block: [16, 16, 1],
      arguments: [numbers(size * size), numbers(size * size, 7), { output: size * size }, { number: size }],
    },
  };
}

async function scores(jobs: Readonly<Record<string, Job>>, attempts: number): Promise<Scores> {
  const found: [string, Score][] = [];
  for (const [name, job] of Object.entries(jobs)) found.push([name, await score(job, attempts)]);
  return Object.fromEntries(found);
}

/** A Python environment of the bench's own, with Numba in it. */
async function numbaPython(): Promise<string> {
  const requirements = join(peers, "requirements.txt");
  const version = /numba==(\S+)/.exec(readFileSync(requirements, "utf8"))?.[1] ?? "";
  const folder = inCache(`bench-numba-${version}`);
  const interpreter = join(folder, "bin", "python");
  await cachedFolder(folder, async () => {
    await run("python3", ["-m", "venv", folder]);
    await run(interpreter, [
      "-m",
      "pip",
      "install",
      "--disable-pip-version-check",
      "--no-input",
      "-r",
      requirements,
    ]);
  });
  return interpreter;
}

/** A contestant that is not there is told, and the others go on. */
async function ifThere(name: string, get: () => Promise<Scores>): Promise<Scores> {
  try {
    return await get();
  } catch (error) {
    process.stderr.write(`  without ${name}: ${String(error).split("\n")[0]}\n`);
    return {};
  }
}

function words({ softmax, layer_norm: norm, matmul }: Sizes): string[] {
  return [softmax.rows, softmax.columns, norm.rows, norm.columns, matmul.size].map(String);
}

interface Contest {
  readonly title: string;
  readonly ours: Scores;
  readonly peer: { readonly name: string; readonly scores: Scores; readonly goal: number };
  readonly loops: Scores;
}

/** Results that differ by more than rounding would make the times mean nothing. */
function checkSame(what: string, ours: Score, theirs: Score | undefined): void {
  if (!theirs || Math.abs(ours.digest - theirs.digest) <= 2e-3 * (1 + Math.abs(theirs.digest))) return;
  throw new Error(`${what}: our result sums up to ${ours.digest}, theirs to ${theirs.digest}`);
}

function rows({ title, ours, peer, loops }: Contest): Measurement[] {
  return Object.entries(ours).flatMap(([name, mine]) => {
    const [theirs, plain] = [peer.scores[name], loops[name]];
    const label = `${name.replace("_", " ")}, ${title}`;
    checkSame(`${label} against ${peer.name}`, mine, theirs);
    checkSame(`${label} against C++`, mine, plain);
    const gain = (theirs?.seconds ?? NaN) / mine.seconds;
    return [
      { metric: `${label}: inputs to outputs`, value: rounded(1000 * mine.seconds), unit: "ms" },
      ...(theirs
        ? [
            {
              metric: `${label}: times faster than ${peer.name} (${rounded(1000 * theirs.seconds)} ms)`,
              value: rounded(gain),
              unit: "×",
              versus: `the goal of ${peer.goal}`,
              ratio: rounded(gain / peer.goal),
            },
          ]
        : []),
      ...(plain
        ? [
            {
              metric: `${label}: speed of plain C++ -O2 (${rounded(1000 * plain.seconds)} ms)`,
              value: rounded((100 * plain.seconds) / mine.seconds),
              unit: "%",
            },
          ]
        : []),
    ];
  });
}

/**
 * The virtual GPU against Triton's interpreter, Numba's simulator and plain loops; what is not installed is
 * left out.
 */
export async function measurePeers(): Promise<Measurement[]> {
  const { large, small } = JSON.parse(readFileSync(join(peers, "sizes.json"), "utf8")) as {
    readonly large: Sizes;
    readonly small: Sizes;
  };
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-peers-"));
  try {
    const [loops, ptx] = [join(folder, "loops"), join(folder, "peers.ptx")];
    const plain = async (sizes: Sizes): Promise<Scores> =>
      lastObject(await run(loops, words(sizes))) as Scores;
    const built = await ifThere("plain C++", () =>
      run("g++", ["-O2", "-o", loops, join(peers, "loops.cpp")]).then(() => plain(large)),
    );
    const environment = { PYTHONDONTWRITEBYTECODE: "1" };
    const python = process.env["KERNELWRIGHT_PYTHON"] ?? "python3";
    const interpreter = await ifThere(
      "TRITON_INTERPRET",
      async () =>
        lastObject(
          await run(python, [join(peers, "interpreter.py")], {
            env: { ...environment, TRITON_INTERPRET: "1", PYTHONPATH: triton },
          }),
        ) as Scores,
    );
    const simulator = await ifThere(
      "Numba",
      async () =>
        lastObject(
          await run(await numbaPython(), [join(peers, "simulator.py")], {
            env: { ...environment, NUMBA_ENABLE_CUDASIM: "1" },
          }),
        ) as Scores,
    );
    await run("nvcc", ["-ptx", "-arch=sm_80", "-o", ptx, join(peers, "peers.cu")]);
    const cuda = cudaJobs(readFileSync(ptx, "utf8"), small);
    return [
      ...rows({
        title: "Triton, large",
        ours: await scores(tritonJobs(large), 5),
        peer: { name: "TRITON_INTERPRET", scores: interpreter, goal: 10 },
        loops: built,
      }),
      ...rows({
        title: "CUDA, small",
        ours: await scores(cuda, 5),
        peer: { name: "Numba's simulator", scores: simulator, goal: 200 },
        loops: Object.keys(built).length > 0 ? await plain(small) : {},
      }),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
