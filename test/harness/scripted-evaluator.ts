import type { Target } from "../../server/core/timing/target";
import type { SourceTree } from "../../server/core/judge/candidate";
import {
  type KernelCounters,
  type LineCounters,
  noCounters,
  sumCounters,
} from "../../server/core/timing/counters";
import type { KernelSpec } from "../../server/core/workload/spec";
import type { CheckedCase, CompiledFacts, Diagnostic, Finding } from "../../server/core/judge/verdict";
import { describeDrawn, describeSizes } from "../../server/core/words/describe";
import type {
  ChallengeOutcome,
  ChallengeRequest,
  CheckOutcome,
  CheckRequest,
  CodeOutcome,
  CompileOutcome,
  Evaluation,
  EvaluationTask,
  Evaluator,
} from "../../server/core/ports/evaluator";

export const kernelFile = "k.cu";

/** A two-shape task, one of them held out, for a kernel whose text says how it behaves. */
const scriptedSpec: KernelSpec = {
  file: kernelFile,
  kernel: "k",
  dialect: "cuda",
  run: { kind: "launch", launch: { arguments: ["x", "y"] } },
  inputs: { x: { dtype: "float32", shape: ["n"] } },
  outputs: { y: { dtype: "float32", shape: ["n"] } },
  shapes: [{ sizes: { n: 64 } }, { sizes: { n: 12321 }, heldOut: true }],
  reference: { kind: "baseline" },
  objective: "modelled-bound",
};

/** `reference`: what says what is right; the baseline itself when left out. */
export function scriptedTask(text: string, reference = scriptedSpec.reference): EvaluationTask {
  return {
    spec: { ...scriptedSpec, reference },
    specFolder: "",
    target: { kind: "vgpu", architecture: "sm_80" },
    baseline: { [kernelFile]: text, "lib.h": "// helper\n" },
  };
}

/**
 * An evaluator whose verdicts stand in the candidate's own text, as marks in comments or macros: `// bound
 * 1200`, `// simulated 2000`, `// sectors 64`, `// lines 40`, `// does not compile`, `// wrong`, `// wrong
 * when held out`, `// remark WORDS`, `// refused`, `// lost`, `// throws`; and for made-up cases
 * `// fails n=77`, `// fails n%37=5`, `// fails x all -200`, `// fails nan`; for constants see `tuningOf`.
 * Each call is counted, and `onCall` may wait or throw.
 */
export class ScriptedEvaluator implements Evaluator {
  readonly calls: string[] = [];
  closed = 0;
  /** For how long each check holds a real GPU; without one when left out. */
  gpuMinutes: number | undefined;
  private original = "";
  onCall: (call: string, signal: AbortSignal) => void | Promise<void> = () => undefined;
  onLost: () => Error = () => new Error("lost");

  async open(task: EvaluationTask, signal: AbortSignal): Promise<Evaluation> {
    await this.note("open", signal);
    this.original = task.baseline[kernelFile] ?? "";
    return {
      compile: (tree, inner) => this.compile(tree, inner),
      code: (tree, inner) => this.code(tree, inner),
      check: (request) => this.check(request),
      challenge: (request) => this.challenge(request),
      ...(this.gpuMinutes !== undefined && { gpuMicroseconds: () => this.heldFor(this.gpuMinutes ?? 0) }),
      close: async () => {
        await Promise.resolve();
        this.closed += 1;
      },
    };
  }

  private heldFor(minutes: number): number {
    return this.calls.filter((call) => call.startsWith("check")).length * minutes * 60_000_000;
  }

  resolve(target: Target): Promise<Target> {
    return Promise.resolve(target);
  }

  private async compile(tree: SourceTree, signal: AbortSignal): Promise<CompileOutcome> {
    await this.note("compile", signal);
    const text = tree[kernelFile] ?? "";
    if (text.includes("// does not compile")) return { kind: "did-not-compile", diagnostics: [compileError] };
    return { kind: "compiled", facts: [facts], diagnostics: [] };
  }

  /** One kernel; its PTX says what line it comes from. */
  private async code(tree: SourceTree, signal: AbortSignal): Promise<CodeOutcome> {
    const compiled = await this.compile(tree, signal);
    if (compiled.kind !== "compiled") return compiled;
    const ptx = `.visible .entry k(\n)\n{\n.loc 1 1 1\nret;\n}\n.file 1 "${kernelFile}"\n`;
    return { kind: "compiled", kernels: [{ symbol: "k", ptx, cubin: new Uint8Array() }] };
  }

  private async check(request: CheckRequest): Promise<CheckOutcome> {
    await this.note(`check ${request.tier}`, request.signal);
    const text = request.tree[kernelFile] ?? "";
    if (text.includes("// refused"))
      return { kind: "refused", reason: "refused: wgmma", file: kernelFile, line: 1 };
    if (text.includes("// lost")) throw this.onLost();
    const shapes = scriptedSpec.shapes.filter((shape) => request.tier === "full" || shape.heldOut !== true);
    const cases = shapes.map((shape): CheckedCase => {
      const wrong =
        text.includes("// wrong\n") || (shape.heldOut === true && text.includes("// wrong when held out"));
      if (wrong) return wrongCase(shape);
      return { shape, passed: true, tolerance, findings: [], ...remarkedOn(text, shape) };
    });
    const profiledShape = { sizes: { n: 64 } };
    if (!request.counters)
      return { kind: "checked", cases, counters: undefined, facts: [facts], profiledShape };
    const counters = countersOf(text);
    const nanoseconds = Math.round(mark(text, "bound", 1000) * tuningOf(text));
    const binding = /\/\/ binding (\w+)/.exec(text)?.[1] ?? "dram";
    return {
      kind: "checked",
      cases,
      counters,
      facts: [facts],
      profiledShape,
      bound: { gpu: "A100", nanoseconds, terms: { [binding]: nanoseconds }, binding, ...simulatedTime(text) },
    };
  }

  private async challenge({ tree, made, signal }: ChallengeRequest): Promise<ChallengeOutcome> {
    await this.note("challenge", signal);
    if (failsOn(this.original, made)) return { kind: "void", reason: "the original does not pass it" };
    const text = tree[kernelFile] ?? "";
    if (text.includes("// ends the runner when challenged")) throw this.onLost();
    const failed = failsOn(text, made);
    if (failed === undefined) return { kind: "passed" };
    if (text.includes("// faults when challenged"))
      return { kind: "did-not-run", reason: "out of bounds", findings: [outOfBounds] };
    return { kind: "failed", checked: wrongCase({ sizes: made.sizes }) };
  }

  private async note(call: string, signal: AbortSignal): Promise<void> {
    this.calls.push(call);
    await Promise.resolve();
    await this.onCall(call, signal);
  }
}

const tolerance = { absolute: 1e-5, relative: 1e-5 };

function wrongCase(shape: CheckedCase["shape"]): CheckedCase {
  const mismatch = {
    output: "y",
    index: [3],
    expected: 1.5,
    actual: 2.5,
    wrong: 1,
    total: 64,
    maxAbsoluteError: 1,
  };
  return { shape, passed: false, tolerance, findings: [], mismatch };
}

/** The mark of a text that says that it fails a made-up case. */
function failsOn(text: string, { sizes, inputs, variant }: ChallengeRequest["made"]): string | undefined {
  const words = [describeSizes(sizes), describeDrawn(inputs), variant];
  const marks = [...text.matchAll(/\/\/ fails (.+)/g)].map(([, mark = ""]) => mark);
  return marks.find((mark) => {
    const [, name = "", divisor, rest] = /^(\w+)%(\d+)=(\d+)$/.exec(mark) ?? [];
    if (divisor === undefined) return words.includes(mark);
    return (sizes[name] ?? 0) % Number(divisor) === Number(rest);
  });
}

/**
 * What constants that are not at their best cost: `#define TILE 16`, `#define WARPS 4` beside `// best TILE
 * 64 WARPS 8`. Each doubling away costs 15 %, and more where the two are not as far away as each other.
 */
function tuningOf(text: string): number {
  const [, tile, warps] = /\/\/ best TILE (\d+) WARPS (\d+)/.exec(text) ?? [];
  if (tile === undefined || warps === undefined) return 1;
  const away = [mark(text, "TILE", 1) / Number(tile), mark(text, "WARPS", 1) / Number(warps)].map(Math.log2);
  const [one = 0, other = 0] = away;
  return 1 + 0.15 * (Math.abs(one) + Math.abs(other)) + 0.3 * Math.abs(one - other);
}

/** What a text wants to have said of each case; of a hidden one with its sizes. */
function remarkedOn(text: string, { sizes, heldOut }: CheckedCase["shape"]): Pick<CheckedCase, "remarks"> {
  const remark = /\/\/ remark (.+)/.exec(text)?.[1];
  if (remark === undefined) return {};
  return { remarks: [heldOut === true ? `${remark} on ${describeSizes(sizes)}` : remark] };
}

const outOfBounds: Finding = {
  kind: "out-of-bounds",
  file: kernelFile,
  line: 1,
  message: "a read of 4 bytes is out of bounds",
};

const compileError: Diagnostic = {
  severity: "error",
  file: kernelFile,
  line: 2,
  column: 1,
  message: 'identifier "z" is undefined',
  source: "nvcc",
};
const facts: CompiledFacts = {
  kernel: "k",
  architecture: "sm_80",
  registers: 16,
  spillStoreBytes: 0,
  spillLoadBytes: 0,
  stackBytes: 0,
  sharedBytes: 0,
  threadsPerBlock: 64,
};

function mark(text: string, name: string, otherwise: number): number {
  return Number(new RegExp(`(?://|#define) ${name} (\\d+)`).exec(text)?.[1] ?? otherwise);
}

function simulatedTime(text: string): { readonly simulatedNanoseconds?: number } {
  const nanoseconds = mark(text, "simulated", 0);
  return nanoseconds === 0 ? {} : { simulatedNanoseconds: nanoseconds };
}

function countersOf(text: string): KernelCounters {
  const line: LineCounters = {
    ...noCounters(),
    file: kernelFile,
    line: 1,
    instructions: mark(text, "instructions", 100),
    globalLoadRequests: 8,
    globalLoadSectors: mark(text, "sectors", 64),
    globalLoadSectorsIdeal: 32,
    sharedWavefronts: mark(text, "shared", 0),
    sharedWavefrontsIdeal: mark(text, "shared", 0),
  };
  const lines = Array.from({ length: mark(text, "lines", 1) }, (_, index) => ({ ...line, line: index + 1 }));
  return { origin: "virtual-gpu", lines, totals: sumCounters(lines) };
}
