import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import { readCubin, staticFacts } from "../../../core/cubin/index";
import type { CompiledFacts } from "../../../core/judge/verdict";
import { formatName, readableName } from "../../../core/base/symbols/symbol-name";
import {
  compileKernel,
  linkPtx,
  parsePtx,
  type CompiledKernel,
  type CompileOptions,
  type LinkSource,
  type Parameter,
  type PtxModule,
  type Refusal,
} from "../../../core/vgpu/index";
import { statuses } from "../protocol/messages";
import type { DeviceProblem } from "./statuses";

/** One kernel of a module, before it is compiled. */
export interface KernelFacts {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly maxThreads: number;
  /** Blocks of a cluster by axis, where the kernel says it. */
  readonly cluster?: readonly [number, number, number];
  /** From the machine code; without it the registers and sizes are 0. */
  readonly machine?: CompiledFacts;
  readonly localBytes: number;
  readonly staticSharedBytes: number;
}

/** Registers of a thread; 0, which no limit holds back, where there is no machine code. */
export function registersOf({ machine }: Pick<KernelFacts, "machine">): number {
  return machine?.registers ?? 0;
}

/** What a module is made of: plain data, for other threads to make it again. */
type ModuleSource =
  | { readonly kind: "text"; readonly ptx: string }
  | { readonly kind: "linked"; readonly sources: readonly LinkSource[] };

/** A kernel as another thread of the host compiles it. */
export interface ModuleCode {
  /** Number of the module (`LoadedModule.number`). */
  readonly module: number;
  readonly source: ModuleSource;
  readonly kernel: string;
  readonly options: CompileOptions;
}

/** PTX as a program has handed it over, with the machine code that was made of it for the modelled GPU. */
export class LoadedModule {
  private static count = 0;
  /** Another one for each module of this thread; handles begin anew with each device. */
  readonly number = (LoadedModule.count += 1);
  readonly kernels: ReadonlyMap<string, KernelFacts>;
  private readonly compiled = new Map<string, Outcome<CompiledKernel, Refusal>>();

  private constructor(
    readonly ptx: PtxModule,
    readonly source: ModuleSource,
    /** The machine code; empty without one. */
    readonly cubin: Uint8Array,
  ) {
    const machine = machineFacts(cubin);
    const entries = [...ptx.functions.values()].filter((each) => each.isEntry && each.hasBody);
    this.kernels = new Map(
      entries.map((entry) => {
        const facts = machine.find((each) => each.kernel === entry.name);
        const threads = entry.maxThreads ?? entry.requiredThreads;
        return [
          entry.name,
          {
            name: entry.name,
            parameters: entry.parameters,
            ...(entry.cluster && { cluster: entry.cluster }),
            maxThreads: threads ? threads[0] * threads[1] * threads[2] : 1024,
            localBytes: facts?.stackBytes ?? 0,
            staticSharedBytes: facts?.sharedBytes ?? sharedBytes(entry.variables),
            ...(facts ? { machine: facts } : {}),
          },
        ];
      }),
    );
  }

  static load(text: string, cubin: Uint8Array): Outcome<LoadedModule, DeviceProblem> {
    const parsed = parsePtx(text);
    if (!parsed.ok)
      return fail({
        status: statuses.invalidImage,
        message: `the PTX is not understood on its line ${parsed.problem.line}: ${parsed.problem.message}`,
      });
    return succeed(new LoadedModule(parsed.value, { kind: "text", ptx: text }, cubin));
  }

  /** Device code of several files as one module; the machine code is that of the whole. */
  static link(sources: readonly LinkSource[], cubin: Uint8Array): Outcome<LoadedModule, DeviceProblem> {
    const linked = linkPtx(sources);
    if (linked.ok) return succeed(new LoadedModule(linked.value, { kind: "linked", sources }, cubin));
    const { symbol, message } = linked.problem;
    return fail({
      status: statuses.invalidImage,
      message: symbol === "" ? message : message.replaceAll(symbol, formatName(readableName(symbol))),
    });
  }

  /** The module that another thread has loaded, without its machine code. */
  static again(source: ModuleSource): Outcome<LoadedModule, DeviceProblem> {
    const noMachineCode = new Uint8Array();
    return source.kind === "text"
      ? LoadedModule.load(source.ptx, noMachineCode)
      : LoadedModule.link(source.sources, noMachineCode);
  }

  /** Generated code for a kernel; kept. */
  compile(kernel: string, options: CompileOptions): Outcome<CompiledKernel, Refusal> {
    const key = `${kernel}\n${JSON.stringify(options)}`;
    const known = this.compiled.get(key);
    if (known !== undefined) return known;
    const made = compileKernel(this.ptx, kernel, options);
    this.compiled.set(key, made);
    return made;
  }
}

function sharedBytes(variables: readonly { readonly space: string; readonly size: number }[]): number {
  return variables.filter(({ space }) => space === "shared").reduce((sum, { size }) => sum + size, 0);
}

/** A cubin that cannot be read costs its facts and nothing else. */
function machineFacts(cubin: Uint8Array): readonly CompiledFacts[] {
  const read = cubin.byteLength === 0 ? undefined : readCubin(cubin);
  if (read?.ok !== true) return [];
  return read.value.kernels.map((each) => {
    const { kernels, lines } = staticFacts(read.value, each.name);
    const machineCode = lines.map(
      ({ file, line, instructions, staticStallCycles, spillInstructions, mix }) => ({
        file,
        line,
        instructions,
        staticStallCycles,
        spillInstructions,
        mix,
      }),
    );
    return {
      ...(kernels[0] ?? {
        kernel: each.name,
        architecture: `sm_${read.value.architecture}`,
        registers: each.registers,
        spillStoreBytes: 0,
        spillLoadBytes: 0,
        stackBytes: each.stackBytes,
        sharedBytes: each.sharedBytes,
      }),
      machineCode,
    };
  });
}
