import { invariant } from "../../../core/base/assert";
import { at } from "../../../core/base/known";
import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import { formatName, readableName } from "../../../core/base/symbols/symbol-name";
import type { Finding } from "../../../core/judge/verdict";
import { type LookedAt, proveKernel } from "../../../core/proof/report";
import {
  DeviceMemory,
  launch,
  orderLostText,
  type CompiledKernel,
  type KernelArgument,
  type KernelFinding,
  type LastStore,
  linearAddress,
  type LaunchOutcome,
  type PtxModule,
  sampledLaunch,
  SpareMemory,
  type SampledOutcome,
} from "../../../core/vgpu/index";
import {
  type HelperWork,
  type LaunchTeam,
  fewestBlocks,
  helpLaunch,
  launchSpread,
} from "../../spread/launch-spread";
import { type JobSource, compileJob, sourceKey } from "./job-kernel";
import type { KernelText } from "./launch-team";
import type { JobArgument, JobBuffer, LaunchJob, LaunchResult } from "./virtual-gpu";

/**
 * Warp-level instructions after which a kernel counts as endless. The wall-clock limit of the launch comes on
 * top.
 */
const instructionBudget = 2_000_000_000;
const keptKernels = 16;
/** By how much addresses differ where blocks start in descending order. */
const movedBytes = 5 * 4096 + 256;
/**
 * The detectors' shadow of larger buffers has no room beside them and a launch's own memory: such a launch
 * goes without them.
 */
const mostDetectedBytes = 384 * 1024 * 1024;
/**
 * Launches that are not counted are watched up to this size, so that large ones keep all cores of the
 * machine.
 */
const mostSweptBytes = 64 * 1024 * 1024;

/**
 * Runs jobs on the virtual GPU, keeping what was compiled for the next ones. Plain code without a thread of
 * its own.
 */
export class JobRunner {
  private readonly kernels = new Map<string, Outcome<CompiledKernel, LaunchResult>>();
  private readonly spare = new SpareMemory();

  /**
   * `team`: threads that help with long launches; without it every launch stays on this one. `shouldStop`:
   * asked again and again while a launch runs, whether it is to end.
   */
  constructor(
    private readonly team?: LaunchTeam<KernelText, Promise<LaunchOutcome>>,
    private readonly shouldStop: () => boolean = () => false,
  ) {}

  /**
   * Runs a job. After a bad access the launch runs once more with such accesses dropped, so that the others
   * are found as well.
   */
  async run(job: LaunchJob): Promise<LaunchResult> {
    const result = await this.once(job, job.probe ? "report" : "end");
    if (result.kind !== "faulted" || !droppable.has(result.findings[0]?.kind ?? "")) return result;
    const again = await this.once({ ...job, counters: false }, "report");
    const proof = this.proofOf(job);
    const shown = { ...result, ...(proof && { proof }) };
    if (again.kind !== "done" && again.kind !== "faulted") return shown;
    return { ...shown, findings: joined(result.findings, again.findings) };
  }

  /** What holds of a job's kernel for all launches, where that is asked for. */
  private proofOf({ proof, ...job }: LaunchJob): LookedAt | undefined {
    if (proof === undefined) return undefined;
    const prepared = this.prepare(job);
    return prepared.ok ? proveKernel(prepared.value.kernel.code.ptx, job.entry, proof) : undefined;
  }

  private async once(job: LaunchJob, faults: "end" | "report"): Promise<LaunchResult> {
    const prepared = this.prepare(job);
    if (!prepared.ok) return prepared.problem;
    const result = await this.launched(job, faults, prepared.value);
    if (!prepared.value.kernel.code.spread) this.spare.giveBack(prepared.value.memory);
    return result;
  }

  private async launched(
    job: LaunchJob,
    faults: "end" | "report",
    { kernel, memory }: PreparedJob,
  ): Promise<LaunchResult> {
    const placed = placeBuffers(job, memory, kernel);
    if (!placed.ok) return placed.problem;
    const addresses = placed.value;
    let writer: LastStore | undefined;
    const { watched } = job;
    const request = {
      ...(job.order === undefined ? {} : { order: job.order }),
      ...(watched && {
        watched: {
          address: linearAddress(at(addresses, watched.buffer)) + watched.byte,
          stored: (by: LastStore): void => void (writer = by),
        },
      }),
      grid: job.grid,
      block: job.block,
      dynamicSharedBytes: job.dynamicSharedBytes,
      memory,
      instructionBudget: job.probe?.instructionBudget ?? instructionBudget,
      faults,
      shouldStop: this.shouldStop,
      ...(job.executed === true ? { executed: true } : {}),
      arguments: job.arguments.map((argument) => kernelArgument(argument, addresses)),
    };
    if (job.earlier !== undefined) {
      write(memory, addresses, job.earlier);
      const before = launch(kernel, request);
      if (before.kind !== "completed") return notCompleted(before, request.instructionBudget);
      write(
        memory,
        addresses,
        job.buffers.map((buffer) => withAddresses(buffer, addresses)),
      );
    }
    const heapBefore = memory.heap.taken;
    // Kernels that print or allocate stay on one thread: their order and their heap belong to the whole
    // launch.
    const isSpread = kernel.code.spread && kernel.code.systemCalls.size === 0;
    if (job.sampled === true)
      return sampledResult(sampledLaunch(kernel, request), { job, memory, addresses, writer, kernel });
    const outcome =
      this.team && isSpread
        ? await launchSpread({ kernel, code: textOf(job), request }, this.team)
        : launch(kernel, request);
    return outcome.kind === "completed"
      ? { ...completed(outcome, { job, memory, addresses, writer, kernel }), ...heapUse(memory, heapBefore) }
      : notCompleted(outcome, request.instructionBudget);
  }

  /** Code for the job and a memory that suits it: shared with the team where the launch can be spread. */
  private prepare(job: LaunchJob): Outcome<PreparedJob, LaunchResult> {
    const bytes = job.buffers.reduce((sum, buffer) => sum + buffer.bytes.byteLength, 0);
    const detectors = job.detectors && bytes <= (job.counters ? mostDetectedBytes : mostSweptBytes);
    const source = { ...job, detectors, spread: this.canSpread(job, detectors) };
    const kernel = this.kernel(source);
    if (!kernel.ok) return kernel;
    if (!kernel.value.code.spread) return succeed({ kernel: kernel.value, memory: this.spare.take() });
    const shared = sharedMemory();
    if (shared !== undefined) return succeed({ kernel: kernel.value, memory: shared });
    const alone = this.kernel({ ...source, spread: false });
    return alone.ok ? succeed({ kernel: alone.value, memory: this.spare.take() }) : alone;
  }

  /** Counted and watched launches stay on one thread, and so do those with few blocks. */
  private canSpread(
    { grid: [width, height, depth], counters, probe, order, watched, touched, earlier }: LaunchJob,
    detectors: boolean,
  ): boolean {
    if (this.team === undefined || this.team.size === 0) return false;
    if (order !== undefined || watched !== undefined || touched === true || earlier !== undefined)
      return false;
    return !counters && !detectors && probe === undefined && width * height * depth >= fewestBlocks;
  }

  /** Runs a part of another thread's launch. */
  help(work: HelperWork<KernelText>): LaunchOutcome {
    const kernel = this.kernel({ ...work.code, counters: false, detectors: false, spread: true });
    invariant(kernel.ok, "a helper compiles what the launching thread has compiled");
    return helpLaunch(kernel.value, work);
  }

  private kernel(job: JobSource): Outcome<CompiledKernel, LaunchResult> {
    const key = sourceKey(job);
    const known = this.kernels.get(key);
    if (known !== undefined) {
      // What was used last is kept longest.
      this.kernels.delete(key);
      this.kernels.set(key, known);
      return known;
    }
    const compiled = compileJob(job);
    this.kernels.set(key, compiled);
    for (const oldest of [...this.kernels.keys()].slice(0, -keptKernels)) this.kernels.delete(oldest);
    return compiled;
  }
}

function textOf({ ptx, entry, triton, arithmetic }: LaunchJob): KernelText {
  return { ptx, entry, triton: triton === true, ...(arithmetic && { arithmetic }) };
}

/** What a launch has left of the heap of kernels. */
function heapUse({ heap }: DeviceMemory, before: number): Pick<Done, "heap"> {
  const after = heap.taken;
  return after > 0 ? { heap: { before, after, size: heap.size } } : {};
}

type Done = Extract<LaunchResult, { kind: "done" }>;

interface PreparedJob {
  readonly kernel: CompiledKernel;
  readonly memory: DeviceMemory;
}

/** A job that was run. */
interface RunJob {
  readonly job: LaunchJob;
  readonly memory: DeviceMemory;
  readonly addresses: readonly bigint[];
  readonly writer: LastStore | undefined;
  readonly kernel: CompiledKernel;
}

function sampledResult(outcome: LaunchOutcome | SampledOutcome, run: RunJob): LaunchResult {
  if (outcome.kind !== "completed") return notCompleted(outcome, instructionBudget);
  return {
    ...completed(outcome, run),
    ...("sample" in outcome && outcome.sample && { sample: outcome.sample }),
    ...("sharing" in outcome && outcome.sharing && { sharing: outcome.sharing }),
  };
}

function completed(outcome: Extract<LaunchOutcome, { kind: "completed" }>, run: RunJob): Done {
  const { job, memory, addresses, writer } = run;
  return {
    kind: "done",
    buffers: job.probe
      ? []
      : job.buffers.map((buffer, index) => contentAfter(memory, at(addresses, index), buffer)),
    counters: outcome.counters,
    ...(outcome.executed ? { executed: outcome.executed } : {}),
    ...(outcome.accesses ? { accesses: outcome.accesses, warpInstructions: outcome.warpInstructions } : {}),
    ...(writer && { writer: { file: "", line: 0, ...writer } }),
    ...(job.proof && { proof: proveKernel(run.kernel.code.ptx, job.entry, job.proof) }),
    findings: [...outcome.findings.map(plainFinding), ...damaged(memory)],
    ...(outcome.isOrderLost ? { remarks: [orderLostText(formatName(readableName(job.entry)))] } : {}),
  };
}

function notCompleted(outcome: Exclude<LaunchOutcome, { kind: "completed" }>, budget: number): LaunchResult {
  switch (outcome.kind) {
    case "fault":
      return {
        kind: "faulted",
        reason: outcome.finding.message,
        findings: [outcome.finding, ...outcome.findings].map(plainFinding),
      };
    case "budget-exceeded": {
      const message = `the kernel did not end within ${budget} warp instructions`;
      return {
        kind: "faulted",
        reason: message,
        findings: [{ kind: "endless", file: outcome.file ?? "", line: outcome.line ?? 0, message }],
      };
    }
    case "refused":
      return { kind: "refused", reason: outcome.reason };
    case "stopped":
      return { kind: "faulted", reason: "the launch was stopped", findings: [] };
  }
}

/** A memory that threads can share; undefined where the system does not give its 4 GiB of address space. */
function sharedMemory(): DeviceMemory | undefined {
  try {
    return new DeviceMemory({ shared: true });
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

/** Allocates the buffers and sets the variables of the module; gives the address of each. */
function placeBuffers(
  job: LaunchJob,
  memory: DeviceMemory,
  kernel: CompiledKernel,
): Outcome<readonly bigint[], LaunchResult> {
  const addresses: bigint[] = [];
  // In the other order memory lies elsewhere, too.
  if (job.order === "descending") memory.allocate("", movedBytes, { initial: new Uint8Array(movedBytes) });
  for (const buffer of job.buffers) {
    const { name, bytes, room, readOnly, unwritten = false, symbol } = buffer;
    if (symbol !== true) {
      const initial = withAddresses(buffer, addresses);
      const options = { initial, readOnly, unwritten, repeats: room !== undefined };
      addresses.push(memory.allocate(name, room ?? bytes.byteLength, options));
      continue;
    }
    const found = variableAt(memory, kernel.code.ptx, name);
    if (found === undefined || found.bytes !== bytes.byteLength) {
      const has = found === undefined ? "there is none of that name" : `it has ${found.bytes} bytes`;
      const reason = `the variable ${name} of the module should have ${bytes.byteLength} bytes, but ${has}`;
      return fail({ kind: "faulted", reason, findings: [] });
    }
    memory.write(found.address, bytes);
    addresses.push(found.address);
  }
  return succeed(addresses);
}

function write(memory: DeviceMemory, addresses: readonly bigint[], contents: readonly Uint8Array[]): void {
  for (const [position, bytes] of contents.entries()) memory.write(at(addresses, position), bytes);
}

/** A variable of the module by its name in the source. */
function variableAt(
  memory: DeviceMemory,
  module: PtxModule,
  name: string,
): { readonly address: bigint; readonly bytes: number } | undefined {
  const addresses = memory.loadModule(module);
  const variable = [...module.variables.values()].find(
    (each) => each.name === name || readableName(each.name).name === name,
  );
  if (variable === undefined) return undefined;
  const address = addresses.get(variable.name);
  return address === undefined ? undefined : { address, bytes: variable.size };
}

/** Bytes with the addresses that stand in them. */
function withAddresses(
  { bytes, pointers = [] }: Pick<JobBuffer, "bytes" | "pointers">,
  addresses: readonly bigint[],
): Uint8Array {
  if (pointers.length === 0) return bytes;
  const filled = bytes.slice();
  const view = new DataView(filled.buffer);
  for (const { at: place, buffer, offset } of pointers)
    view.setBigUint64(place, at(addresses, buffer) + BigInt(offset), true);
  return filled;
}

function kernelArgument(argument: JobArgument, addresses: readonly bigint[]): KernelArgument {
  if (argument.kind === "scalar") return { kind: "bytes", value: withAddresses(argument, addresses).slice() };
  return { kind: "address", value: at(addresses, argument.buffer) + BigInt(argument.offset) };
}

/** Bad accesses that a launch can do without. */
const droppable = new Set(["out-of-bounds", "use-after-free", "misaligned"]);

/** Findings in the order of their runs, one for each kind and line. */
function joined(first: readonly Finding[], more: readonly Finding[]): readonly Finding[] {
  const places = new Map<string, Finding>();
  for (const finding of [...first, ...more]) {
    const place = `${finding.kind} ${finding.file}:${finding.line}`;
    if (!places.has(place)) places.set(place, finding);
  }
  return [...places.values()];
}

/** What a buffer holds after the launch: the very bytes that it began with where they are still the same. */
function contentAfter(memory: DeviceMemory, address: bigint, { bytes, room }: JobBuffer): Uint8Array {
  if (room !== undefined) return memory.read(address);
  const now = new Uint8Array(memory.memory.buffer, linearAddress(address), bytes.byteLength);
  return Buffer.compare(bytes, now) === 0 ? bytes : memory.read(address);
}

/** A finding that can leave the thread and be written as JSON. */
function plainFinding({ kind, file, line, message, count, block, thread, other }: KernelFinding): Finding {
  return {
    kind,
    file: file ?? "",
    line: line ?? 0,
    message,
    count,
    ...(block && { block }),
    ...(thread && { thread }),
    ...(other && { other: { ...other, file: other.file ?? "", line: other.line ?? 0 } }),
  };
}

function damaged(memory: DeviceMemory): readonly Finding[] {
  return memory.damagedGuards().map((name) => ({
    kind: "guard-overwritten",
    file: "",
    line: 0,
    message: `the memory around ${name} was written to`,
  }));
}
