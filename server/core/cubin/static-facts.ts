import type { CompiledFacts } from "../judge/verdict";
import { ByLine } from "./by-line";
import type { Cubin, CubinKernel, LineCode } from "./cubin";
import type { InstructionClass } from "./opcode-table";

/** Facts of one source line, summed over kernels that share it. */
type StaticLineFacts = Omit<LineCode, "opcodes">;

/** What the machine code says before anything runs, ready for a table beside counters that were executed. */
interface StaticFacts {
  readonly origin: "cubin";
  /** In the order of their names. */
  readonly kernels: readonly CompiledFacts[];
  /** Sorted by file and line, without code that belongs to no line. */
  readonly lines: readonly StaticLineFacts[];
}

/**
 * Static facts of all kernels of a cubin, or of one.
 * @param kernel Mangled name of the kernel; without it the lines of all kernels and functions are summed.
 */
export function staticFacts(cubin: Cubin, kernel?: string): StaticFacts {
  const kernels = cubin.kernels.filter((each) => kernel === undefined || each.name === kernel);
  const functions = kernel === undefined ? cubin.functions : [];
  const lines = mergeLines([...kernels, ...functions].flatMap((code) => code.lines)).filter(
    (line) => line.file !== "",
  );
  return { origin: "cubin", kernels: kernels.map((each) => compiledFacts(each, cubin.architecture)), lines };
}

/** The same facts that `ptxas -v` prints, with the mangled name as the kernel's. */
function compiledFacts(kernel: CubinKernel, architecture: number): CompiledFacts {
  return {
    kernel: kernel.name,
    architecture: `sm_${architecture}`,
    registers: kernel.registers,
    spillStoreBytes: kernel.spills.storeBytes,
    spillLoadBytes: kernel.spills.loadBytes,
    stackBytes: kernel.stackBytes,
    sharedBytes: kernel.sharedBytes,
  };
}

function mergeLines(lines: readonly LineCode[]): StaticLineFacts[] {
  const merged = new ByLine<StaticLineFacts>();
  for (const line of lines)
    merged.set(
      line.file,
      line.line,
      mergeLine(
        merged.at(line.file, line.line, () => noFacts),
        line,
      ),
    );
  return merged.sorted();
}

const noFacts: StaticLineFacts = {
  file: "",
  line: 0,
  instructions: 0,
  mix: {},
  staticStallCycles: 0,
  widestGlobalAccess: 0,
  spillInstructions: 0,
  loopDepth: 0,
};

function mergeLine(a: StaticLineFacts, b: StaticLineFacts): StaticLineFacts {
  const mix: Partial<Record<InstructionClass, number>> = { ...a.mix };
  for (const [name, count] of Object.entries(b.mix) as [InstructionClass, number][])
    mix[name] = (mix[name] ?? 0) + count;
  return {
    file: b.file,
    line: b.line,
    instructions: a.instructions + b.instructions,
    mix,
    staticStallCycles: a.staticStallCycles + b.staticStallCycles,
    widestGlobalAccess: Math.max(a.widestGlobalAccess, b.widestGlobalAccess),
    spillInstructions: a.spillInstructions + b.spillInstructions,
    loopDepth: Math.max(a.loopDepth, b.loopDepth),
  };
}
