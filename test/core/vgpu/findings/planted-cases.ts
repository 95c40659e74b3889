import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { KernelArgument, LaunchRequest } from "../../../../server/core/vgpu/index";
import { DeviceMemory } from "../../../../server/core/vgpu/index";
import { address, bytesOf, casesFolder } from "../support";

export const plantedFolder = join(casesFolder, "planted");

/** What differs between the kernel with the bug and its twin without. */
export interface Pair<Value> {
  readonly bug: Value;
  readonly fixed: Value;
}

export type Variant = keyof Pair<unknown>;

/** A kernel parameter: memory, or a 32-bit number. */
export type PlantedArgument =
  | {
      readonly kind: "memory";
      readonly name: string;
      readonly type: string;
      readonly count: number;
      readonly fill: readonly string[];
    }
  | { readonly kind: "number"; readonly name: string; readonly value: Pair<number> };

/** One kernel of test/cases/vgpu/planted with its bug. */
export interface PlantedCase {
  readonly file: string;
  readonly kernel: string;
  readonly kind: string;
  /** The output that the bug leaves untouched. */
  readonly unwritten?: string;
  readonly grid: Pair<LaunchRequest["grid"]>;
  readonly block: Pair<LaunchRequest["block"]>;
  readonly shared: Pair<number>;
  readonly arguments: readonly PlantedArgument[];
  readonly free: readonly string[];
  /** Lines that end in `BUG` and `OTHER`. */
  readonly lines: readonly number[];
  readonly otherLines: readonly number[];
}

/** "3 -> 4" is 3 with the bug and 4 without. */
function pair<Value>(text: string, read: (text: string) => Value): Pair<Value> {
  const [bug = "", fixed = bug] = text.split("->").map((part) => part.trim());
  return { bug: read(bug), fixed: read(fixed) };
}

function triple(text: string): readonly [number, number, number] {
  const [x = 1, y = 1, z = 1] = text.split(",").map(Number);
  return [x, y, z];
}

function argumentOf(field: string): PlantedArgument {
  const [name = "", rest = ""] = field.split(" = ");
  const memory = /^(\w+)\[(\d+)\]\s*(.*)$/.exec(rest);
  if (!memory) return { kind: "number", name, value: pair(rest, Number) };
  const [, type = "", count = "", fill = ""] = memory;
  return {
    kind: "memory",
    name,
    type,
    count: Number(count),
    fill: fill.split(" ").filter((word) => word !== ""),
  };
}

/** Reads the cases of one file: a line that starts with `//:` and what follows up to the next one. */
export function readPlanted(file: string, text: string): PlantedCase[] {
  const lines = text.split("\n");
  const starts = lines.flatMap((line, index) => (/^(\/\/|#):/.test(line) ? [index] : []));
  return starts.map((start, index) =>
    plantedCase(file, start + 1, lines.slice(start, starts[index + 1] ?? lines.length)),
  );
}

function plantedCase(file: string, firstLine: number, body: readonly string[]): PlantedCase {
  const [what = "", ...fields] = (body[0] ?? "")
    .replace(/^(\/\/|#):/, "")
    .split("|")
    .map((field) => field.trim());
  const [kind = "", unwritten] = what.split(" ");
  const value = (word: string): string | undefined =>
    fields.find((field) => field.startsWith(`${word} `))?.slice(word.length + 1);
  const marked = (mark: string): number[] =>
    body.flatMap((line, at) =>
      new RegExp(`(//|#) (BUG )?${mark}( OTHER)?$`).test(line) ? [firstLine + at] : [],
    );
  const [head = ""] = body.filter((line) => /^(KERNEL|def) /.test(line));
  return {
    file,
    kernel: /(\w+)\((?!\d)/.exec(head)?.[1] ?? "",
    kind,
    ...(unwritten === undefined ? {} : { unwritten }),
    grid: pair(value("grid") ?? "1", triple),
    block: pair(value("block") ?? "32", triple),
    shared: pair(value("shared") ?? "0", Number),
    arguments: fields.filter((field) => field.includes(" = ")).map(argumentOf),
    free: fields.filter((field) => field.startsWith("free ")).map((field) => field.slice(5)),
    lines: marked("BUG"),
    otherLines: marked("OTHER"),
  };
}

/** All cases in the CUDA files. */
export function plantedCuda(): PlantedCase[] {
  return plantedFiles().flatMap((name) => readPlanted(name, readFileSync(join(plantedFolder, name), "utf8")));
}

/** Names of the CUDA files. */
export function plantedFiles(): string[] {
  return readdirSync(plantedFolder)
    .filter((name) => name.endsWith(".cu"))
    .sort();
}

/** All cases written in Triton. */
export function plantedTriton(): PlantedCase[] {
  return readPlanted("planted.py", readFileSync(join(plantedFolder, "triton", "planted.py"), "utf8"));
}

const elementBytes: Readonly<Record<string, number>> = {
  char: 1,
  half: 2,
  short: 2,
  int: 4,
  float: 4,
  double: 8,
  long: 8,
  pointer: 8,
};

/** What memory holds at the start: a number for each element. */
const fills: Readonly<Record<string, (index: number) => number>> = {
  zero: () => 0,
  ones: () => 1,
  ramp: (index) => index,
  mixed: (index) => (index * 37) % 101,
  /** Every third is -1. */
  holes: (index) => (index % 3 === 0 ? -1 : index - 1),
};

/** The starting contents of an argument as numbers; undefined where it was never written. */
export function contents({
  count,
  fill: [fill = ""],
}: Extract<PlantedArgument, { kind: "memory" }>): number[] | undefined {
  const rule = fills[fill];
  return rule && Array.from({ length: count }, (_, index) => rule(index));
}

function encode(type: string, values: readonly number[]): Uint8Array {
  if (type === "float") return bytesOf(Float32Array.from(values));
  if (type === "double") return bytesOf(Float64Array.from(values));
  if (type === "int") return bytesOf(Int32Array.from(values));
  if (type === "long") return bytesOf(BigInt64Array.from(values, BigInt));
  return type === "char" ? Uint8Array.from(values) : bytesOf(Int16Array.from(values));
}

function decode(type: string, bytes: Uint8Array<ArrayBuffer>): number[] {
  if (type === "float") return [...new Float32Array(bytes.buffer)];
  if (type === "double") return [...new Float64Array(bytes.buffer)];
  if (type === "int") return [...new Int32Array(bytes.buffer)];
  if (type === "long") return [...new BigInt64Array(bytes.buffer)].map(Number);
  return type === "char" ? [...bytes] : [...new Int16Array(bytes.buffer)];
}

/** A case's memory before its launch, and how to read it afterwards. */
export interface Prepared {
  readonly memory: DeviceMemory;
  readonly arguments: readonly KernelArgument[];
  readonly read: (name: string) => number[];
  readonly address: (name: string) => bigint;
}

/** Allocates and fills what the kernel gets. */
export function prepare({ arguments: list, free }: PlantedCase, variant: Variant): Prepared {
  const memory = new DeviceMemory();
  const addresses = new Map<string, bigint>();
  for (const argument of list) {
    if (argument.kind === "number") continue;
    const values = contents(argument);
    const bytes = argument.count * (elementBytes[argument.type] ?? 4);
    addresses.set(
      argument.name,
      memory.allocate(argument.name, bytes, values ? { initial: encode(argument.type, values) } : {}),
    );
  }
  const at = (name: string): bigint => addresses.get(name) ?? 0n;
  for (const argument of list) {
    if (argument.kind === "memory" && argument.type === "pointer")
      memory.write(at(argument.name), bytesOf(BigUint64Array.from(argument.fill, at)));
  }
  if (variant === "bug") for (const name of free) memory.free(at(name));
  return {
    memory,
    address: at,
    arguments: list.map((argument): KernelArgument =>
      argument.kind === "memory"
        ? address(at(argument.name))
        : { kind: "integer", value: argument.value[variant] },
    ),
    read: (name) => {
      const argument = list.find((entry) => entry.name === name);
      return argument?.kind === "memory" ? decode(argument.type, memory.read(at(name))) : [];
    },
  };
}
