import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { known } from "../../server/core/base/known";
import { defaultTarget } from "../../server/core/timing/target";
import type { SessionEvent } from "../../server/core/trajectory/events";
import { composeServices } from "../../server/host/compose";
import type { RunningSession } from "../../server/host/services/services";
import { inRepository } from "../../server/setup/support/layout.mjs";
import { collectGarbage } from "../harness/collect-garbage";
import type { Script } from "../harness/openai-script";
import { type Bench, type Measurement, rounded } from "./bench";

const CANDIDATES = 500;
/** The session is stopped after so many, and goes on in services of its own, as after a crash. */
const STOPPED_AFTER = 300;
/** Candidates between two looks at memory and log. */
const STRIDE = 50;

const BUDGET = { usd: 1, minutes: 600, candidates: CANDIDATES };

const SPEC = {
  version: 1,
  kernel: "scale.cu::scale",
  launch: {
    grid: ["(n + 127) // 128"],
    block: [128],
    arguments: ["x", "y", { value: "n", dtype: "int32" }],
  },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [{ sizes: { n: 1000 } }, { sizes: { n: 77 }, heldOut: true }],
  reference: { expressions: { y: "3 * x" } },
  objective: "modelled-bound",
};

/** The kernel with so many needless reads; `note` makes each version a text of its own. */
function kernelWith(reads: number, factor: number, note: string): string {
  return `// ${note}
__global__ void scale(const float* x, float* y, int n) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  const volatile float* again = x;
  float last = 0.0f;
  for (int k = 0; k < ${reads}; ++k) last = again[(i + 97 * k) % n];
  y[i] = ${factor}.0f * x[i];
}
`;
}

/** Each tenth version reads less than all before it, each seventh is wrong. */
function versionOf(turn: number): string {
  const reads = 120 - 2 * Math.floor(turn / 10) + (turn % 10 === 0 ? 0 : 40);
  return kernelWith(reads, turn % 7 === 0 ? 2 : 3, `version ${turn}`);
}

function script(): Script {
  const replies = Array.from({ length: 4 * CANDIDATES }, (_, turn) => ({
    calls: [
      { name: "write_file", arguments: { path: "scale.cu", text: versionOf(turn + 1) } },
      { name: "submit_candidate", arguments: { hypothesis: `Version ${turn + 1} reads less.` } },
    ],
  }));
  return { model: "scripted", replies };
}

/** What a session costs at one moment. */
interface Look {
  readonly candidates: number;
  readonly milliseconds: number;
  /** Processor time of this process, all threads together: without compilers and Python. */
  readonly ownMilliseconds: number;
  readonly heapBytes: number;
  readonly logBytes: number;
}

/**
 * Memory, log and time of sessions with so many candidates: a model's answers come from a script over HTTP,
 * and every version is compiled, run and compared as any other.
 */
export const sessionBench: Bench = {
  name: "sessions",
  run: async () => {
    const rows: Measurement[] = [];
    for (const strategy of ["refine", "search"]) rows.push(...(await measured(strategy)));
    return rows;
  },
};

async function measured(strategy: string): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-sessions-"));
  const workspaceFolder = join(folder, "kernels");
  mkdirSync(workspaceFolder);
  writeFileSync(join(workspaceFolder, "scale.cu"), kernelWith(160, 3, "as it came"));
  writeFileSync(join(workspaceFolder, "scale.cu.kernel.json"), JSON.stringify(SPEC));
  const endpoint = await startEndpoint(join(folder, "script.json"));
  try {
    const session = new MeasuredSession(folder, workspaceFolder, endpoint.url, strategy);
    const first = await session.firstPart();
    const second = await session.secondPart();
    return rowsOf(strategy, [...first, ...second], session.resumeMilliseconds);
  } finally {
    endpoint.process.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One session in two parts. */
class MeasuredSession {
  /** From the order to go on to the first new candidate's verdict. */
  resumeMilliseconds = 0;
  private sessionId = "";
  /** Going on tells the events of before once more. */
  private readonly created = new Set<string>();

  constructor(
    private readonly folder: string,
    private readonly workspaceFolder: string,
    private readonly endpoint: string,
    private readonly strategy: string,
  ) {}

  /** From the start until it is stopped. */
  async firstPart(): Promise<readonly Look[]> {
    return this.part(STOPPED_AFTER, async (services, how) => {
      const asked = { file: "scale.cu", target: defaultTarget, strategy: this.strategy, budget: BUDGET };
      const running = await services.optimize.start({ ...asked, ...how });
      this.sessionId = running.sessionId;
      return running;
    });
  }

  /** From going on to the end. */
  async secondPart(): Promise<readonly Look[]> {
    const before = performance.now();
    const looks = await this.part(Number.POSITIVE_INFINITY, (services, how) =>
      services.optimize.resume(this.sessionId, {
        ...how,
        onEvent: (event) => {
          const { size } = this.created;
          how.onEvent(event);
          if (this.resumeMilliseconds === 0 && this.created.size > size)
            this.resumeMilliseconds = performance.now() - before;
        },
      }),
    );
    if (this.created.size < CANDIDATES)
      throw new Error(`the session of ${this.strategy} ended with ${this.created.size} candidates`);
    return looks;
  }

  private async part(
    stopAt: number,
    begin: (
      services: Awaited<ReturnType<typeof composeServices>>,
      how: { readonly signal: AbortSignal; readonly onEvent: (event: SessionEvent) => void },
    ) => Promise<RunningSession>,
  ): Promise<readonly Look[]> {
    const services = await composeServices({
      ...{ workspaceFolder: this.workspaceFolder, sessionsFolder: join(this.folder, "sessions") },
      environment: { ...process.env, KERNELWRIGHT_MODEL_KEY: "none" },
      ...{ model: "scripted", endpoint: this.endpoint, modelPrice: "free" },
    });
    const stop = new AbortController();
    const looks: Look[] = [];
    try {
      const running = await begin(services, {
        signal: stop.signal,
        onEvent: ({ type, data }) => {
          if (type !== "candidate.created" || this.created.has(data.candidate)) return;
          this.created.add(data.candidate);
          if (this.created.size % STRIDE === 0) looks.push(this.look());
          if (this.created.size >= stopAt) stop.abort();
        },
      });
      const { outcome, reason } = await running.finished;
      if (stopAt > CANDIDATES && outcome !== "improved")
        throw new Error(`the session of ${this.strategy} found nothing: ${reason}`);
      return looks;
    } finally {
      await services.dispose();
    }
  }

  private look(): Look {
    collectGarbage();
    const { user, system } = process.cpuUsage();
    return {
      candidates: this.created.size,
      milliseconds: performance.now(),
      ownMilliseconds: (user + system) / 1000,
      heapBytes: process.memoryUsage().heapUsed,
      logBytes: bytesBelow(join(this.folder, "sessions")),
    };
  }
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

function rowsOf(strategy: string, looks: readonly Look[], resumeMilliseconds: number): Measurement[] {
  const lookAt = (candidates: number): Look =>
    known(
      looks.find((look) => look.candidates === candidates),
      `a look at ${candidates} candidates`,
    );
  const between = (from: number, to: number, figure: (look: Look) => number): number =>
    (figure(lookAt(to)) - figure(lookAt(from))) / (to - from);
  const [early, late] = [[50, 150] as const, [CANDIDATES - 100, CANDIDATES] as const];
  const row = (what: string, unit: string, figure: (look: Look) => number): Measurement => {
    const [before, after] = [between(...early, figure), between(...late, figure)];
    return {
      metric: `${strategy}: ${what} of each of the last 100 candidates`,
      value: rounded(after),
      unit,
      versus: `${rounded(before)} ${unit} for candidates 51 to 150`,
      ratio: rounded(after / before),
    };
  };
  const megabytes = ({ heapBytes }: Look): number => heapBytes / 1e6;
  return [
    row("time", "ms", ({ milliseconds }) => milliseconds),
    row("processor time of the engine and the virtual GPU", "ms", ({ ownMilliseconds }) => ownMilliseconds),
    row("log and files", "kB", ({ logBytes }) => logBytes / 1000),
    {
      metric: `${strategy}: heap after ${CANDIDATES} candidates`,
      value: rounded(megabytes(lookAt(CANDIDATES))),
      unit: "MB",
      versus: `${rounded(megabytes(lookAt(STRIDE)))} MB after ${STRIDE}`,
      ratio: rounded(megabytes(lookAt(CANDIDATES)) / megabytes(lookAt(STRIDE))),
    },
    {
      metric: `${strategy}: from resuming after ${STOPPED_AFTER} to the next candidate`,
      value: rounded(resumeMilliseconds),
      unit: "ms",
    },
  ];
}

/** The scripted endpoint as a process of its own, whose memory is not ours. */
async function startEndpoint(
  path: string,
): Promise<{ readonly url: string; readonly process: ChildProcess }> {
  writeFileSync(path, JSON.stringify(script()));
  const program = inRepository("out", "bench", "openai-server.js");
  const child = spawn(process.execPath, [program, path], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const line = await new Promise<string>((resolve, reject) => {
    lines.once("line", resolve);
    child.once("exit", (code) => reject(new Error(`the scripted endpoint ended with ${code}`)));
  });
  return { url: (JSON.parse(line) as { readonly url: string }).url, process: child };
}
