import { randomInt } from "node:crypto";
import type { CheckedCase } from "../../../../core/judge/verdict";
import type { CheckRequest, EvaluationTask } from "../../../../core/ports/evaluator";
import type { PlannedCase } from "../../evaluation/case-shapes";
import type { KernelSession } from "../../evaluation/kernel-runner";
import { inFolder } from "../../evaluation/oracle-session";
import type { CaseJudge } from "../case-judge";

/** Kinds of findings, with what is said. */
type Told = readonly { readonly kind: string; readonly message: string }[];

const usesTorch = /\b(torch|ATen|c10|at::)/;

/** Whoever knows the seed of a caller could leave random numbers as if they had begun there. */
const seeds = 2 ** 31;

/** What a setting of torch or of Python is called, by the name that the process tells it by. */
const settings: ReadonlyMap<string, string> = new Map([
  ["gradients", "whether torch records gradients (torch.set_grad_enabled)"],
  ["inference", "torch's inference mode"],
  ["anomaly", "torch's detection of anomalies"],
  ["autocast", "torch.autocast"],
  ["type", "torch's default type (torch.set_default_dtype)"],
  ["device", "torch's default device (torch.set_default_device)"],
  ["deterministic", "torch.use_deterministic_algorithms"],
  ["filled", "torch.utils.deterministic.fill_uninitialized_memory"],
  ["products", "the precision of torch's products (torch.set_float32_matmul_precision)"],
  ["tf32", "torch.backends.cuda.matmul.allow_tf32"],
  ["half-sums", "torch.backends.cuda.matmul.allow_*_reduced_precision_reduction"],
  ["convolutions", "torch.backends.cudnn (enabled, benchmark, deterministic, allow_tf32)"],
  ["attention", "which attention torch may choose (torch.backends.cuda.enable_*_sdp)"],
  ["threads", "the number of torch's threads"],
  ["denormals", "whether the processor makes zeros of denormal numbers (torch.set_flush_denormal)"],
  ["warnings", "the filters of Python's warnings"],
  ["collection", "Python's garbage collection"],
  ["recursion", "Python's limit of recursion"],
  ["directory", "the current directory"],
  ["numpy-errors", "numpy.seterr"],
  ["printed", "torch.set_printoptions"],
]);

/** What is said of the others, by their names and what they are left at. */
const sentences: ReadonlyMap<string, string> = new Map([
  [
    "random seeded",
    "the call seeds torch's generator of random numbers: what the program draws behind it is the same after each call (torch.random.fork_rng gives the state back)",
  ],
  [
    "random drawn",
    "the call draws from torch's generator of random numbers: what the program draws behind it is another sequence (a torch.Generator of its own would not change it)",
  ],
  [
    "device-random seeded",
    "the call seeds the GPU's generator of random numbers: what the program draws behind it is the same after each call (torch.random.fork_rng gives the state back)",
  ],
  [
    "device-random drawn",
    "the call draws from the GPU's generator of random numbers: what the program draws behind it is another sequence",
  ],
  [
    "host-random changed",
    "the call changes the state of Python's or NumPy's random numbers: what the program draws behind it is another sequence",
  ],
  [
    "streams-before open",
    "called on another stream than the default one, it starts a kernel on a stream that does not wait for its caller's (torch.cuda.current_stream()): the kernel may read inputs before they are there",
  ],
  [
    "streams-behind open",
    "called on another stream than the default one, it leaves work on a stream that its caller's does not wait for: the caller may read results before they are there",
  ],
  [
    "device-current other",
    "called with another device than number 0 as the current one, it leaves another one behind (cudaSetDevice, not set back): what its caller does next goes to the wrong GPU",
  ],
  [
    "device-launches other",
    "called with another device than number 0 as the current one, it launches on another device than that (cudaSetDevice), where its arguments are not",
  ],
  [
    "host-arithmetic other",
    "the call leaves the host rounding otherwise, or making zeros of denormal numbers (fesetround, _MM_SET_FLUSH_ZERO_MODE), and does not set it back: what its caller computes next comes out otherwise",
  ],
  ["streams-current open", "the call leaves another stream as the current one"],
]);

/**
 * What a call of a Python entry leaves changed for its caller beside its results: settings of the process,
 * random numbers, and the order of work on streams.
 */
export class CallerState {
  constructor(
    private readonly task: EvaluationTask,
    private readonly judge: CaseJudge,
  ) {}

  /**
   * The case with what a version leaves changed and the kernel as it was does not; undefined where there is
   * no such thing.
   */
  async check(
    planned: PlannedCase,
    session: KernelSession,
    { signal }: Pick<CheckRequest, "signal">,
  ): Promise<CheckedCase | undefined> {
    const { dialect, run } = this.task.spec;
    if (run.kind !== "entry") return undefined;
    // Tensors of PyTorch say that they are on device 0: who turns to theirs is right there.
    if (dialect === "cuda" && this.texts.some((text) => usesTorch.test(text))) return undefined;
    const changed = await this.changed(planned, session, signal);
    if (changed.length === 0) return undefined;
    const outcome = await this.judge.run(planned, session, { counters: false, detectors: false, signal });
    if (outcome.kind !== "judged") return undefined;
    const { specFolder, spec } = this.task;
    const file = inFolder(specFolder, spec.file);
    const findings = changed.map(({ kind, message }) => ({ kind, file, line: 0, message }));
    return { ...outcome.checked, passed: false, findings: [...findings, ...outcome.checked.findings] };
  }

  private get texts(): readonly string[] {
    return Object.values(this.task.baseline);
  }

  /** What a version leaves changed and the kernel as it was does not. */
  private async changed(planned: PlannedCase, session: KernelSession, signal: AbortSignal): Promise<Told> {
    const left = await this.left(planned, session, signal);
    if (left.length === 0) return [];
    const before = await this.left(planned, this.judge.baseline.session, signal);
    const own = left.filter((each) => !before.includes(each));
    return own.map((message) => ({ kind: "changes-caller", message }));
  }

  /** Sentences about what a call leaves changed. Calls before it have made what is made once. */
  private async left(
    planned: PlannedCase,
    session: KernelSession,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    await this.judge.runOnOthers(planned, session, { signal });
    const run = await this.judge.runOnOthers(planned, session, { callerSeed: randomInt(seeds), signal });
    const left = run.kind === "ran" ? Object.entries(run.behind ?? {}) : [];
    return left.flatMap(([name, value]) => {
      const setting = settings.get(name);
      if (setting === undefined) return sentences.get(`${name} ${value}`) ?? [];
      return `the call leaves ${setting} at ${value}, where its caller had something else`;
    });
  }
}
