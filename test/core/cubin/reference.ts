import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CorpusModule } from "./corpus";

/** What NVIDIA's tools say about one code section. */
export interface ReferenceCode {
  readonly name: string;
  /** Number of instructions by `FILE:LINE MNEMONIC`. */
  readonly counts: Readonly<Record<string, number>>;
  /** Sum of the stall cycles that stand in the encodings, by `FILE:LINE`. */
  readonly stalls: Readonly<Record<string, number>>;
  /** Bytes by the printed suffix of every load and store, by `MNEMONIC BYTES`. */
  readonly widths: Readonly<Record<string, number>>;
  /** Offset and target of every direct branch. */
  readonly branches: readonly (readonly [number, number])[];
}

/** What `ptxas -v` and `cuobjdump -res-usage` say about one kernel. */
export interface ReferenceResources {
  readonly registers: number;
  readonly cumulativeStackBytes: number;
  readonly spillStoreBytes: number;
  readonly spillLoadBytes: number;
  readonly sharedBytes: number;
  readonly barriers: number;
}

export interface DumpedResources {
  readonly registers: number;
  readonly stackBytes: number;
  readonly sharedBytes: number;
}

/** Folder of the disassemblers that Triton's wheel carries. */
export function toolFolder(): string | undefined {
  const python = process.env["KERNELWRIGHT_PYTHON"] ?? "/tmp/no-python";
  const asked = spawnSync(
    python,
    ["-c", "import importlib.util, os; print(os.path.dirname(importlib.util.find_spec('triton').origin))"],
    { encoding: "utf8" },
  );
  const folder = join((asked.stdout ?? "").trim(), "backends", "nvidia", "bin");
  return asked.status === 0 && existsSync(join(folder, "nvdisasm")) ? folder : undefined;
}

/** Compiles a module to PTX once; the file of the PTX. */
export function compileToPtx(folder: string, module: CorpusModule): string {
  const source = join(folder, `${module.name}.cu`);
  const ptx = join(folder, `${module.name}.ptx`);
  writeFileSync(source, module.source);
  execFileSync(
    "nvcc",
    ["-ptx", "-w", "-lineinfo", `-arch=${module.virtualArchitecture}`, source, "-o", ptx],
    { cwd: folder, encoding: "utf8" },
  );
  return ptx;
}

export interface Assembled {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly resources: ReadonlyMap<string, ReferenceResources>;
}

/**
 * Assembles PTX for one architecture with the ptxas on the path or another one, keeping what `ptxas -v`
 * prints.
 */
export function assemble(ptx: string, architecture: string, ptxas = "ptxas"): Assembled {
  const file = ptx.replace(/\.ptx$/, `.${architecture}.cubin`);
  const done = spawnSync(ptxas, ["-v", "-lineinfo", `-arch=${architecture}`, ptx, "-o", file], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  if (done.status !== 0) throw new Error(`ptxas -arch=${architecture}: ${done.stderr}`);
  return { file, bytes: new Uint8Array(readFileSync(file)), resources: readPtxasLog(done.stderr) };
}

function readPtxasLog(log: string): Map<string, ReferenceResources> {
  const number = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);
  return new Map(
    log
      .split("Compiling entry function '")
      .slice(1)
      .map((block) => {
        const name = block.slice(0, block.indexOf("'"));
        const own = block.slice(block.indexOf("Function properties for"));
        return [
          name,
          {
            registers: number(block, /Used (\d+) registers/),
            cumulativeStackBytes: number(block, /(\d+) bytes cumulative stack size/),
            spillStoreBytes: number(own, /(\d+) bytes spill stores/),
            spillLoadBytes: number(own, /(\d+) bytes spill loads/),
            sharedBytes: number(block, /(\d+) bytes smem/),
            barriers: number(block, /used (\d+) barriers/),
          },
        ];
      }),
  );
}

/** Registers, stack and shared memory as `cuobjdump -res-usage` prints them. */
export function dumpResources(tools: string, cubin: string): Map<string, DumpedResources> {
  const text = execFileSync(join(tools, "cuobjdump"), ["-res-usage", cubin], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return new Map(
    [...text.matchAll(/Function (\S+):\s+REG:(\d+) STACK:(\d+) SHARED:(\d+)/g)].map((found) => [
      found[1] ?? "",
      { registers: Number(found[2]), stackBytes: Number(found[3]), sharedBytes: Number(found[4]) },
    ]),
  );
}

/** Disassembles with line information and counts. */
export function disassemble(tools: string, cubin: string): ReferenceCode[] {
  const text = execFileSync(join(tools, "nvdisasm"), ["-c", "-g", "-hex", cubin], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return text.split("\n\t.section\t.text.").slice(1).map(readSection);
}

const lineMark = /^\t\/\/## File "(.*)", line (\d+)/;
const firstWord =
  /^\s+\/\*([0-9a-f]{4,})\*\/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_]*)([^; ]*)([^;]*);\s*\/\* 0x([0-9a-f]{16})/;
const secondWord = /^\s+\/\* 0x([0-9a-f]{16})/;

/** Collects what one section of the disassembly says. */
class SectionReader {
  readonly counts: Record<string, number> = {};
  readonly stalls: Record<string, number> = {};
  readonly widths: Record<string, number> = {};
  private readonly labels = new Map<string, number>();
  private readonly jumps: { readonly from: number; readonly label: string }[] = [];
  /** Labels that name the next instruction. */
  private readonly waiting: string[] = [];
  private place = ":0";

  read(text: string): void {
    const mark = lineMark.exec(text);
    const label = /^(\.L_x_\d+|[\w$.]+):$/.exec(text);
    const first = firstWord.exec(text);
    const second = first ? null : secondWord.exec(text);
    if (mark) this.place = `${mark[1]}:${mark[2]}`;
    else if (label) this.waiting.push(label[1] ?? "");
    else if (first) this.readInstruction(first);
    else if (second) add(this.stalls, this.place, Number((BigInt(`0x${second[1]}`) >> 41n) & 15n));
  }

  /** Jumps with a known target: from offset, to offset. */
  get branches(): readonly (readonly [number, number])[] {
    return this.jumps.flatMap(({ from, label }) => {
      const to = this.labels.get(label);
      return to === undefined ? [] : [[from, to] as const];
    });
  }

  private readInstruction(first: RegExpExecArray): void {
    const [, offset = "", mnemonic = "", suffix = "", operands = ""] = first;
    for (const each of this.waiting.splice(0)) this.labels.set(each, parseInt(offset, 16));
    // The fourth letter is the type of the operands, which is not part of the family.
    add(this.counts, `${this.place} ${mnemonic.replace(/^UTC[HIQO]MMA$/, "UTCMMA")}`, 1);
    const width = printedWidth(mnemonic, suffix);
    if (width > 0) add(this.widths, `${mnemonic} ${width}`, 1);
    const target = mnemonic === "BRA" ? /\(([^)]+)\)/.exec(operands) : null;
    if (target) this.jumps.push({ from: parseInt(offset, 16), label: target[1] ?? "" });
  }
}

function readSection(section: string): ReferenceCode {
  const reader = new SectionReader();
  for (const text of section.split("\n")) reader.read(text);
  const { counts, stalls, widths, branches } = reader;
  return { name: section.slice(0, section.indexOf(",")), counts, stalls, widths, branches };
}

function add(to: Record<string, number>, key: string, amount: number): void {
  to[key] = (to[key] ?? 0) + amount;
}

const printed: Readonly<Record<string, number>> = {
  U8: 1,
  S8: 1,
  U16: 2,
  S16: 2,
  "64": 8,
  "128": 16,
  "256": 32,
};

function printedWidth(mnemonic: string, suffix: string): number {
  if (!/^(LD|LDG|LDS|LDL|LDC|LDCU|ULDC|ST|STG|STS|STL)$/.test(mnemonic)) return 0;
  return (
    suffix
      .split(".")
      .map((part) => printed[part])
      .find((width) => width !== undefined) ?? 4
  );
}
