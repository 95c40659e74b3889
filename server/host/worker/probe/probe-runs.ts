import { at, known, mustGet } from "../../../core/base/known";
import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import { readableName } from "../../../core/base/symbols/symbol-name";
import { symbolParameters } from "../../../core/base/symbols/symbol-parameters";
import type {
  PlainProbeArgument,
  ProbeArgument,
  ProbedKernel,
  ProbeParameter,
  ProbeLaunch,
  ProbeSource,
} from "../../../core/ports/prober";
import { type Parameter, parsePtx, type PtxModule } from "../../../core/vgpu/index";
import type { ProbeObservation } from "../../../core/workload/probe/observation";
import { describeDiagnostic } from "../../../core/words/describe";
import { usualTypes } from "../../../core/workload/build/instance";
import type { CudaCompiler } from "../compile/cuda-compiler";
import type {
  JobArgument,
  JobBuffer,
  JobPointer,
  LaunchJob,
  LaunchResult,
  VirtualGpu,
} from "../gpu/virtual-gpu";
import { chooseEntry } from "../evaluation/choose-entry";
import { scalarBytes } from "../evaluation/case-shapes";
import { haloBytes, probeContent, rooms } from "./probe-content";
import { pointedRows, seenBuffers } from "./pointed-rows";

export type { ProbeSource };

interface ProbeMachine {
  readonly compiler: CudaCompiler;
  readonly virtualGpu: VirtualGpu;
  readonly limitSeconds: number;
}

/** Compiles a kernel for probing. */
export async function openProbe(
  machine: ProbeMachine,
  { tree, file, build, kernel, instance, target, signal }: ProbeSource,
): Promise<Outcome<ProbedKernel, string>> {
  const source = {
    files: tree,
    main: file,
    build,
    architecture: target.architecture,
    origin: "user" as const,
  };
  const compiled = await machine.compiler.compile(source, signal);
  if (compiled.kind === "timed-out") return fail(`nvcc took longer than ${compiled.limitSeconds} s`);
  if (compiled.kind === "did-not-compile") {
    const error = compiled.diagnostics.find((each) => each.severity === "error");
    return fail(`it does not compile: ${error === undefined ? "no message" : describeDiagnostic(error)}`);
  }
  const chosen = chooseEntry(compiled.entries, { kernel, named: instance, types: usualTypes });
  if (!chosen.ok) return chosen;
  const { entry, remark } = chosen.value;
  const module = parsePtx(compiled.ptx);
  if (!module.ok) return fail(`the virtual GPU cannot read its PTX: ${module.problem.message}`);
  return succeed(
    probedKernel(
      module.value,
      { ptx: compiled.ptx, symbol: entry.symbol, sharedBytes: entry.facts.sharedBytes, remark },
      (job) => machine.virtualGpu.launch(job, { signal, limitSeconds: machine.limitSeconds }),
    ),
  );
}

interface CompiledText {
  readonly ptx: string;
  readonly symbol: string;
  readonly sharedBytes: number;
  readonly remark: string | undefined;
}

/** A compiled kernel, launched through `run`. */
export function probedKernel(
  module: PtxModule,
  { ptx, symbol, sharedBytes, remark }: CompiledText,
  run: (job: LaunchJob) => Promise<LaunchResult>,
): ProbedKernel {
  const entry = mustGet(module.functions, symbol);
  const code = codeOf(ptx, symbol);
  const asks = (register: string): boolean => code.includes(register);
  const types = symbolParameters(symbol);
  const words = wordsOf(code);
  // A parameter stands once in the head of the entry.
  const isRead = ({ name }: Parameter): boolean => words.indexOf(name) !== words.lastIndexOf(name);
  // Of each room the threads of the smallest launch that went beyond it: larger ones do so, too.
  const wanting: number[] = rooms.map(() => Number.POSITIVE_INFINITY);
  return {
    parameters: entry.parameters.map((parameter, index) => ({
      ...kindOf(parameter),
      isRead: isRead(parameter),
      ...(types?.[index] === undefined ? {} : { type: types[index] }),
    })),
    sharedBytes,
    instance: readableName(symbol).templateArguments,
    ...(remark === undefined ? {} : { instanceRemark: remark }),
    axes: depthOf(asks("%tid.z"), asks("%tid.y")),
    gridAxes: asks("%ctaid") || asks("%clusterid") ? depthOf(asks("%ctaid.z"), asks("%ctaid.y")) : 0,
    unfilled: unfilledConstants(module, code),
    usesDynamicShared: /\.extern\s+\.shared/.test(ptx),
    ...(entry.maxThreads ? { maxThreads: threadsOf(entry.maxThreads) } : {}),
    ...(entry.requiredThreads ? { requiredBlock: entry.requiredThreads } : {}),
    run: async (launch) => {
      const threads = threadsOf(launch.grid) * threadsOf(launch.block);
      let result: LaunchResult | undefined;
      for (const [index, room] of rooms.entries()) {
        if (threads >= at(wanting, index)) continue;
        result = await run(jobOf(launch, { ptx, symbol, room }));
        if (!wantsRoom(result)) break;
        // In the largest one it is what the kernel does.
        if (index < rooms.length - 1) wanting[index] = threads;
      }
      return readResult(launch, known(result, "what came of the largest room"));
    },
  };
}

function threadsOf([x, y, z]: readonly [number, number, number]): number {
  return x * y * z;
}

function unfilledConstants(module: PtxModule, code: string): ProbedKernel["unfilled"] {
  const words = new Set(wordsOf(code));
  return [...module.variables.values()]
    .filter(({ name, space, initial }) => space === "const" && words.has(name) && isEmpty(initial))
    .map(({ name, size }) => ({ name: readableName(name).name, bytes: size }));
}

function wordsOf(code: string): readonly string[] {
  return code.split(/[^\w$]+/);
}

function isEmpty(initial: Uint8Array | undefined): boolean {
  return initial === undefined || initial.every((byte) => byte === 0);
}

/** Whether a kernel went beyond a buffer, which a larger one may be enough for. */
function wantsRoom(result: LaunchResult): boolean {
  return (
    result.kind === "done" && result.findings.some(({ message }) => message.includes('behind the end of "'))
  );
}

/** The text of an entry and of the functions that are not inlined. */
function codeOf(ptx: string, symbol: string): string {
  const parts = ptx.split(/(?=^\.(?:visible|weak|func|entry|extern)\b)/m);
  return parts.filter((part) => !part.includes(".entry") || part.includes(` ${symbol}(`)).join("");
}

function depthOf(usesZ: boolean, usesY: boolean): 1 | 2 | 3 {
  if (usesZ) return 3;
  return usesY ? 2 : 1;
}

function kindOf({ type, size }: Parameter): Pick<ProbeParameter, "bytes" | "kind"> {
  if (size > 8) return { bytes: size, kind: "bytes" };
  return { bytes: size, kind: type.kind === "float" ? "float" : "integer" };
}

interface RoomyText extends Pick<CompiledText, "ptx" | "symbol"> {
  /** Bytes of each buffer. */
  readonly room: number;
}

function jobOf(launch: ProbeLaunch, { ptx, symbol, room }: RoomyText): LaunchJob {
  const buffers: JobBuffer[] = [];
  const place = (argument: ProbeArgument): JobArgument => {
    if (argument.kind === "structure" && argument.isPointed === true) {
      buffers.push(...pointedRows(argument, buffers.length));
      return { kind: "pointer", buffer: buffers.length - 1, offset: 0 };
    }
    if (argument.kind === "structure") return structureOf(argument, place);
    if (argument.kind === "scalar")
      return { kind: "scalar", bytes: scalarBytes(argument.value, argument.dtype) };
    buffers.push({
      name: argument.name,
      bytes: probeContent(argument.dtype, argument.content),
      readOnly: false,
      room,
    });
    return { kind: "pointer", buffer: buffers.length - 1, offset: haloBytes };
  };
  return {
    ptx,
    entry: symbol,
    grid: launch.grid,
    block: launch.block,
    dynamicSharedBytes: launch.dynamicSharedBytes,
    arguments: launch.arguments.map(place),
    buffers,
    counters: false,
    detectors: launch.isWatched === true,
    probe: { instructionBudget: launch.instructionBudget },
  };
}

/** A structure's bytes, and where in it addresses stand. */
function structureOf(
  { byteLength, fields }: Extract<ProbeArgument, { kind: "structure" }>,
  place: (argument: PlainProbeArgument) => JobArgument,
): JobArgument {
  const bytes = new Uint8Array(byteLength);
  const pointers: JobPointer[] = [];
  for (const { at: byte, argument } of fields) {
    const placed = place(argument);
    if (placed.kind === "scalar") bytes.set(placed.bytes, byte);
    else pointers.push({ at: byte, buffer: placed.buffer, offset: placed.offset });
  }
  return { kind: "scalar", bytes, pointers };
}

function readResult(launch: ProbeLaunch, result: LaunchResult): Outcome<ProbeObservation, string> {
  if (result.kind === "timed-out") return fail(`it took longer than ${result.limitSeconds} s`);
  if (result.kind !== "done") return fail(result.reason);
  const { accesses } = result;
  if (accesses === undefined) return fail("nothing was recorded");
  const { buffers, faults } = seenBuffers(launch.arguments, accesses.allocations);
  return succeed({
    ...{ ...accesses, buffers },
    warpInstructions: known(result.warpInstructions, "the instructions of a probe"),
    faults: [...result.findings.map(({ kind, message }) => ({ kind, message })), ...faults],
  });
}
