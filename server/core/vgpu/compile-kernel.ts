import { type Outcome, fail, succeed } from "../base/outcome";
import { parameterBytesOf } from "./functions";
import type { Refusal } from "./opcodes/table";
import type { Parameter, PtxModule, SourceLine } from "./ptx/module";
import { splitBlocks } from "./analyse/blocks";
import { inOrderOfMeeting } from "./block-order";
import { type CompileOptions, type KernelCode, generateCode } from "./emit/generate";
import { flattenProgram } from "./flatten/flatten";
import { withPauses } from "./analyse/pauses";
import { RefusalError } from "./flatten/refusal";
import { SourceLines } from "./analyse/source-lines";
import { stackBytesOf } from "./flatten/stack";

export type { CompileOptions } from "./emit/generate";

/** A kernel ready to be launched. */
export interface CompiledKernel {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** Bytes of static shared memory. */
  readonly sharedBytes: number;
  /**
   * Where the last variable in static shared memory ends: what lies behind, up to the alignment, belongs to
   * nothing.
   */
  readonly sharedEnd: number;
  /** Bytes of local memory a thread needs. */
  readonly localBytes: number;
  readonly maxThreads?: readonly [number, number, number];
  readonly requiredThreads?: readonly [number, number, number];
  /** Blocks of a cluster by axis, where the kernel says it. */
  readonly cluster?: readonly [number, number, number];
  /** `.file` table of the module. */
  readonly files: ReadonlyMap<number, string>;
  readonly options: CompileOptions;
  /** What `launch` needs; no one else looks inside. */
  readonly code: KernelCode;
}

/** The most static shared memory plus locals that a kernel may ask for; more is refused as absurd. */
const maximumLocalBytes = 1 << 20;

/** Bytes of parameters that a kernel may have (PTX ISA section 5.1.6.1). */
const maximumParameterBytes = 32_764;

/**
 * Compiles one entry of a module to WebAssembly. Anything that is not implemented ends in a refusal that
 * names it; nothing is guessed.
 */
export function compileKernel(
  ptx: PtxModule,
  entryName: string,
  options: CompileOptions,
): Outcome<CompiledKernel, Refusal> {
  const entry = ptx.functions.get(entryName);
  if (!entry?.isEntry || !entry.hasBody)
    return fail({ reason: `refused: the module has no kernel ${entryName}` });
  if (parameterBytesOf(entry) > maximumParameterBytes)
    return fail({
      reason: `refused: ${entryName} has more than ${maximumParameterBytes} bytes of parameters`,
    });
  const lines = new SourceLines(ptx);
  const at = (location: number | undefined): Partial<SourceLine> =>
    location === undefined ? {} : (lines.of(location) ?? {});
  const program = flattenProgram(ptx, entry);
  if (!program.ok) return fail({ reason: program.problem.reason, ...at(program.problem.location) });
  if (program.value.localBytes > maximumLocalBytes)
    return fail({ reason: "refused: more than 1 MiB of local memory a thread" });
  const blocks = splitBlocks(options.triton ? withPauses(program.value) : program.value);
  if (!blocks.ok) return fail({ reason: blocks.problem.reason, ...at(blocks.problem.location) });
  try {
    return succeed({
      name: entry.name,
      parameters: entry.parameters,
      sharedBytes: program.value.sharedBytes,
      sharedEnd: program.value.sharedEnd,
      localBytes: program.value.localBytes + (program.value.usesFrames ? stackBytesOf(options) : 0),
      ...(entry.maxThreads ? { maxThreads: entry.maxThreads } : {}),
      ...(entry.requiredThreads ? { requiredThreads: entry.requiredThreads } : {}),
      ...(entry.cluster ? { cluster: entry.cluster } : {}),
      files: ptx.files,
      options,
      code: generateCode({ ptx, program: program.value, ...inOrderOfMeeting(blocks.value), lines, options }),
    });
  } catch (thrown) {
    if (thrown instanceof RefusalError) return fail({ reason: thrown.reason, ...at(thrown.location) });
    throw thrown;
  }
}
