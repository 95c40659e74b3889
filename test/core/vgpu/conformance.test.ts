import { describe as suite, expect, it } from "vitest";
import { DeviceMemory } from "../../../server/core/vgpu/index";
import { address, compileText, halfValue, readCase, run } from "./support";
import { snippet } from "./snippets";

interface Case {
  readonly instruction: string;
  readonly operands: readonly string[];
  readonly pools: readonly string[];
  readonly result: string;
  /** Further operands as text: `, 232`. */
  readonly tail: string;
  /** Hexadecimal digits of each lane's result. */
  readonly expected: string;
}

interface Table {
  readonly lanes: number;
  readonly pools: Readonly<Record<string, string>>;
  readonly cases: readonly Case[];
}

const table = JSON.parse(readCase("conformance.json")) as Table;
const bits: Readonly<Record<string, number>> = { f16x2: 32, bf16x2: 32, pred: 1, bf16: 16, f16: 16 };

function bitsOf(type: string): number {
  return bits[type] ?? Number(type.slice(1));
}

/** Register of an operand: by size, in order. */
function registerOf(type: string, index: number): string {
  if (type === "pred") return `%p${index}`;
  const size = bitsOf(type);
  return size === 64 ? `%rd${10 + index}` : size === 32 ? `%r${10 + index}` : `%h${index}`;
}

/** A kernel of 64 threads: 8 bytes an operand in, 8 bytes out. */
function kernelOf({ instruction, operands, result, tail }: Case): string {
  const loads = operands.map((type, index) => {
    const at = `[%rd1+${512 * index}]`;
    const register = registerOf(type, index);
    if (type === "pred") return `ld.global.u32 %r1, ${at}; setp.ne.u32 ${register}, %r1, 0;`;
    return bitsOf(type) === 8 ? `ld.global.u16 ${register}, ${at};` : `ld.global.b${bitsOf(type)} ${register}, ${at};`;
  });
  const sources = operands.map(registerOf).join(", ");
  const destination = registerOf(result, 5);
  const store = result === "pred" ? "selp.u32 %r2, 1, 0, %p5; st.global.u32 [%rd2], %r2;" : `st.global.b${Math.max(16, bitsOf(result))} [%rd2], ${destination};`;
  return snippet(["u64", "u64"], `ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; mov.u32 %r0, %tid.x;
    mad.wide.u32 %rd1, %r0, 8, %rd1; mad.wide.u32 %rd2, %r0, 8, %rd2;
    ${loads.join("\n")}
    ${instruction} ${destination}, ${sources}${tail};
    ${store}`);
}

function poolValues(name: string): bigint[] {
  const text = table.pools[name] ?? "";
  const digits = text.length / table.lanes;
  return Array.from({ length: table.lanes }, (_, lane) => BigInt(`0x${text.slice(lane * digits, (lane + 1) * digits)}`));
}

function execute(entry: Case): bigint[] {
  const memory = new DeviceMemory();
  const input = new BigUint64Array(entry.operands.length * table.lanes);
  entry.pools.forEach((pool, index) => input.set(poolValues(pool), index * table.lanes));
  const from = memory.allocate("in", input.byteLength, { initial: new Uint8Array(input.buffer) });
  const to = memory.allocate("out", 8 * table.lanes);
  run(compileText(kernelOf(entry), "kernel"), { grid: [1, 1, 1], block: [table.lanes, 1, 1], arguments: [address(from), address(to)], memory });
  const mask = (1n << BigInt(bitsOf(entry.result))) - 1n;
  return [...new BigUint64Array(memory.read(to).buffer)].map((value) => value & mask);
}

const view = new DataView(new ArrayBuffer(8));

function isNan(type: string, value: bigint): boolean {
  if (type === "f16" || type === "bf16") return Number.isNaN(halfValue(Number(value), type));
  if (type === "f64") {
    view.setBigUint64(0, value);
    return Number.isNaN(view.getFloat64(0));
  }
  view.setUint32(0, Number(value));
  return type === "f32" && Number.isNaN(view.getFloat32(0));
}

function agrees(type: string, actual: bigint, expected: bigint): boolean {
  if (actual === expected) return true;
  if (!type.endsWith("x2")) return isNan(type, actual) && isNan(type, expected);
  const half = type.slice(0, -2);
  return [0n, 16n].every((shift) => agrees(half, (actual >> shift) & 0xffffn, (expected >> shift) & 0xffffn));
}

function check(entry: Case): void {
  const digits = entry.expected.length / table.lanes;
  const actual = execute(entry);
  const wrong = actual.flatMap((value, lane) => {
    const expected = BigInt(`0x${entry.expected.slice(lane * digits, (lane + 1) * digits)}`);
    if (agrees(entry.result, value, expected)) return [];
    const operands = entry.pools.map((pool) => `0x${poolValues(pool)[lane]?.toString(16)}`).join(", ");
    return [`lane ${lane}: ${operands} gave 0x${value.toString(16)}, expected 0x${expected.toString(16)}`];
  });
  expect([entry.instruction, wrong.slice(0, 3)]).toEqual([entry.instruction, []]);
}

const opcodes = [...new Set(table.cases.map(({ instruction }) => instruction.split(".")[0] ?? ""))];

suite("every opcode by type and modifier against exact expectations", () => {
  it.each(opcodes)("%s", (opcode) => {
    for (const entry of table.cases) if (entry.instruction.split(".")[0] === opcode) check(entry);
  });
});
