import { at, known } from "../../../core/base/known";
import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import { readableName } from "../../../core/base/symbols/symbol-name";
import type {
  EntryArgument,
  EntryOutcome,
  EntryProgram,
  LentBuffer,
} from "../../../core/ports/entry-programs";
import type {
  EntryObservation,
  EntryProbeCall,
  EntryProbeParameter,
  EntryProbeSource,
  ProbedEntry,
} from "../../../core/ports/entry-prober";
import { parsePtx } from "../../../core/vgpu/index";
import { describeDiagnostic } from "../../../core/words/describe";
import { bufferObservation } from "../../../core/workload/probe/buffer-observation";
import type { ArgumentSpec, EntrySymbol, TensorSpec } from "../../../core/workload/spec";
import { scalarBytes } from "../evaluation/case-shapes";
import { haloBytes, probeContent, roomBytes } from "../probe/probe-content";
import { type Built, EntryBuild, type EntryBuildOptions, startBuilt } from "./entry-build";

interface EntryProbeMachine extends Pick<EntryBuildOptions, "compiler" | "host" | "programs"> {
  /** The user agreed to do without walls. */
  readonly withoutWalls: boolean;
}

/** Bytes of constant memory. */
const constantBytes = 64 * 1024;
/** Bytes of the buffers where the usual room is not enough. */
const mostEntryRoom = 24 * 1024 * 1024;
/** The same of an entry whose text says how large its data is: of one buffer, and of all that are watched. */
const vastRoom = { each: 192 * 1024 * 1024, all: 384 * 1024 * 1024 } as const;

/** Compiles a harness around a function; processes are started as they are needed. */
export async function openEntryProbe(
  machine: EntryProbeMachine,
  source: EntryProbeSource,
): Promise<Outcome<ProbedEntry, string>> {
  const { tree, file, call, sources, parameters, structures, symbols, result, build, target, signal } =
    source;
  const buffers = [...parameters, ...symbols].flatMap((each) => (each.kind === "buffer" ? [each] : []));
  const tensor = ({ type }: Pick<(typeof buffers)[number], "type">): TensorSpec => ({
    dtype: type.dtype,
    shape: [1],
  });
  const builds = new EntryBuild({
    ...machine,
    entry: {
      ...{ call, arguments: parameters.map(argumentSpec), structures, sources },
      symbols: symbols.map(symbolSpec),
    },
    task: {
      ...{ specFolder: "", target, baseline: tree, build },
      spec: {
        file,
        inputs: Object.fromEntries(buffers.map((each) => [each.name, tensor(each)])),
        outputs: result === undefined ? {} : { [result.name]: tensor(result) },
      },
    },
  });
  const built = await builds.build(tree, signal);
  if (built.kind === "timed-out") return fail(`nvcc took longer than ${built.limitSeconds} s`);
  if (built.kind === "built") return succeed(new CalledEntry(machine, source, built));
  const error = built.diagnostics.find(({ severity }) => severity === "error");
  return fail(error === undefined ? `${call} does not compile` : describeDiagnostic(error));
}

function argumentSpec(parameter: EntryProbeParameter): ArgumentSpec {
  if (parameter.kind === "buffer") return parameter.name;
  return parameter.kind === "bytes" ? { bytes: parameter.bytes } : { value: 0, dtype: parameter.dtype };
}

function symbolSpec(symbol: EntryProbeSource["symbols"][number]): EntrySymbol {
  const { variable } = symbol;
  if (symbol.kind === "buffer") return { symbol: variable, with: symbol.name };
  return { symbol: variable, with: { byteLength: symbol.byteLength, fields: [] } };
}

/** Bytes of the variables in constant memory. */
function constantBytesOf({ device }: Built): ReadonlyMap<string, number> {
  const module = parsePtx(device.ptx);
  if (!module.ok) return new Map();
  const constants = [...module.value.variables.values()].filter(({ space }) => space === "const");
  return new Map(constants.map(({ name, size }) => [readableName(name).name, size]));
}

/** A harness and the process that runs it now. */
class CalledEntry implements ProbedEntry {
  readonly constantBytes: ReadonlyMap<string, number>;
  private program: EntryProgram | undefined;
  /** Numbers of the calls that went beyond the usual room, and not beyond a larger one. */
  private readonly wanting: (readonly number[])[] = [];

  constructor(
    private readonly machine: EntryProbeMachine,
    private readonly source: EntryProbeSource,
    private readonly built: Built,
  ) {
    this.constantBytes = constantBytesOf(built);
  }

  async run(call: EntryProbeCall): Promise<Outcome<EntryObservation, string>> {
    if (call.isVast === true) return this.once(call, vastRoomOf(call));
    const numbers = call.arguments.flatMap((each) => (each.kind === "number" ? each.value : []));
    if (this.wantsRoom(numbers)) return this.once(call, mostEntryRoom);
    const seen = await this.once(call, roomBytes);
    if (seen.ok || !leavesRoom.test(seen.problem)) return seen;
    const roomier = await this.once(call, mostEntryRoom);
    if (roomier.ok) this.wanting.push(numbers);
    return roomier;
  }

  async close(): Promise<void> {
    await this.program?.close();
  }

  /** With greater numbers a call goes beyond its room, too; to find that out ends the process. */
  private wantsRoom(numbers: readonly number[]): boolean {
    return this.wanting.some((wanting) => wanting.every((number, index) => at(numbers, index) >= number));
  }

  private async once(call: EntryProbeCall, room: number): Promise<Outcome<EntryObservation, string>> {
    const { buffers, passed } = givenFor(this.source, call, room);
    if (buffers.some((each) => (each.room?.bytes ?? 0) > mostVectorRoom))
      return fail("a vector would have more elements than a probe has room for");
    const program = await this.usable();
    const outcome = await program.run({
      buffers,
      arguments: passed,
      counters: false,
      detectors: false,
      probe: { instructionBudget: call.instructionBudget },
      limitSeconds: call.limitSeconds,
      signal: this.source.signal,
    });
    const filled = this.source.symbols.flatMap((each) => (each.kind === "buffer" ? each.name : []));
    return observation(outcome, { filled, limitSeconds: call.limitSeconds });
  }

  private async usable(): Promise<EntryProgram> {
    if (this.program?.usable === true) return this.program;
    await this.program?.close();
    const { programs, withoutWalls } = this.machine;
    this.program = await startBuilt({ task: this.source, programs, withoutWalls }, this.built);
    return this.program;
  }
}

/** Bytes of a vector, with what lies around it, that a probe copies to the host. */
const mostVectorRoom = 256 * 1024 * 1024;

/** Bytes of each buffer, where all have as much room as can be. */
function vastRoomOf({ arguments: given }: EntryProbeCall): number {
  const buffers = given.filter(({ kind }) => kind === "buffer").length;
  const share = Math.floor(vastRoom.all / Math.max(1, buffers));
  return Math.max(mostEntryRoom, Math.min(vastRoom.each, share));
}

/** What lies behind the end of one buffer is told as before the start of the next, where that is nearer. */
const leavesRoom = /(?:behind the end of|before the start of) "/;

function givenFor(
  { parameters, symbols, result }: EntryProbeSource,
  { arguments: given, fills }: Pick<EntryProbeCall, "arguments" | "fills">,
  room: number,
): { readonly buffers: readonly LentBuffer[]; readonly passed: readonly EntryArgument[] } {
  const buffers: LentBuffer[] = [];
  const lent = (buffer: LentBuffer, bytes: number): readonly EntryArgument[] => {
    buffers.push(buffer);
    const size = scalarBytes(bytes, "uint64");
    return [
      { kind: "pointer", buffer: buffers.length - 1 },
      { kind: "bytes", bytes: size },
    ];
  };
  const passed = parameters.flatMap((parameter, index): readonly EntryArgument[] => {
    const argument = at(given, index);
    if (parameter.kind === "buffer" && argument.kind === "buffer") {
      const { dtype, width } = parameter.type;
      const content = probeContent(dtype, argument.content);
      const bytes =
        argument.elements === undefined ? undefined : argument.elements * width * itemBytesOf(dtype);
      // A vector has all of its elements, however much room the others have.
      const own = Math.max(room, 2 * haloBytes + (bytes ?? 0));
      return lent(roomy(parameter.name, content, own), bytes ?? room - haloBytes);
    }
    if (parameter.kind === "number" && argument.kind === "number")
      return [{ kind: "bytes", bytes: scalarBytes(argument.value, parameter.dtype) }];
    const bytes = parameter.kind === "bytes" ? parameter.bytes : "";
    return [{ kind: "bytes", bytes: Buffer.from(bytes, "hex") }];
  });
  const returned =
    result === undefined ? [] : lent(roomy(result.name, new Uint8Array([0]), room), room - haloBytes);
  const filled = symbols.flatMap((symbol, index): readonly EntryArgument[] => {
    const fill = at(fills, index);
    if (symbol.kind === "buffer" && fill.kind === "buffer") {
      const content = probeContent(symbol.type.dtype, fill.content);
      return lent(roomy(symbol.name, content, haloBytes + constantBytes), constantBytes);
    }
    const bytes = new Uint8Array(symbol.kind === "numbers" ? symbol.byteLength : 0);
    const numbers = fill.kind === "numbers" ? fill.numbers : [];
    for (const { at: byte, value, dtype } of numbers) bytes.set(scalarBytes(value, dtype), byte);
    return [{ kind: "bytes", bytes }];
  });
  return { buffers, passed: [...filled, ...passed, ...returned] };
}

function roomy(name: string, content: Uint8Array, bytes: number): LentBuffer {
  return { name, content, isUnwritten: false, isReadOnly: false, room: { bytes, before: haloBytes } };
}

function itemBytesOf(dtype: TensorSpec["dtype"]): number {
  return scalarBytes(0, dtype).byteLength;
}

/** What a call showed; one that did not end as it should shows nothing. */
function observation(
  outcome: EntryOutcome,
  { filled, limitSeconds }: { readonly filled: readonly string[]; readonly limitSeconds: number },
): Outcome<EntryObservation, string> {
  const { end, troubles, accesses, launches, launchCount, warpInstructions } = outcome;
  const trouble = troubles.find(({ kind }) => kind !== "told");
  if (trouble !== undefined) return fail(trouble.message);
  if (end.kind === "timed-out") return fail(`it did not return within ${limitSeconds} s`);
  if (end.kind !== "returned") return fail(end.told);
  if (launchCount === 0) return fail("it launched no kernel");
  return succeed({
    buffers: known(accesses, "what a probe touched")
      .filter(({ name }) => !filled.includes(name))
      .map((each) => bufferObservation(each, haloBytes)),
    ...{ launches, launchCount },
    warpInstructions,
    isCut: false,
    sharedBytes: 0,
    loadReach: [0, 0, 0],
    storeReach: [0, 0, 0],
    faults: [],
  });
}
