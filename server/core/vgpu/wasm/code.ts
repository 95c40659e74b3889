import { at } from "../../base/known";
import { invariant } from "../../base/assert";
import opcodes from "./opcodes.json";

/**
 * WebAssembly code as nested byte sequences: cheap to compose, flattened once. An expression leaves its value
 * on the stack. A number is one byte or, from 256 on, two or three: the first one lowest, with a one above
 * the last (see `two` and `three`). Most of the code is such short sequences.
 */
export type Wasm = number | Uint8Array | readonly Wasm[];

export type ValueType = "i32" | "i64" | "f32" | "f64" | "v128";

export type PlainOpcode = keyof typeof opcodes.plain;
export type MemoryOpcode = keyof typeof opcodes.memory;
type LaneOpcode = keyof typeof opcodes.lane;
type LaneMemoryOpcode = keyof typeof opcodes.laneMemory;

export const typeCodes: Readonly<Record<ValueType, number>> = {
  i32: 0x7f,
  i64: 0x7e,
  f32: 0x7d,
  f64: 0x7c,
  v128: 0x7b,
};

/** Two bytes in one number. */
function two(first: number, second: number): number {
  return 0x1_0000 | (second << 8) | first;
}

/** Three bytes in one number. */
function three(first: number, second: number, third: number): number {
  return 0x100_0000 | (third << 16) | (second << 8) | first;
}

/** A code and a number that takes one or two bytes of its own. */
function withNumber(code: number, value: number): Wasm {
  if (value < 128) return two(code, value);
  return value < 0x4000 ? three(code, (value & 127) | 128, value >> 7) : [code, unsigned(value)];
}

/** Unsigned LEB128. */
export function unsigned(value: number): Wasm {
  if (value < 128) return value;
  if (value < 0x4000) return two((value & 127) | 128, value >> 7);
  if (value < 0x20_0000) return three((value & 127) | 128, ((value >> 7) & 127) | 128, value >> 14);
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
  return bytes;
}

/** Signed LEB128 of 32 bits. */
function signed(value: number): Wasm {
  if (value >= -64 && value < 64) return value & 127;
  if (value >= -0x2000 && value < 0x2000) return two((value & 127) | 128, (value >> 7) & 127);
  if (value >= -0x10_0000 && value < 0x10_0000)
    return three((value & 127) | 128, ((value >> 7) & 127) | 128, (value >> 14) & 127);
  const bytes: number[] = [];
  let rest = value;
  for (; rest < -64 || rest >= 64; rest >>= 7) bytes.push((rest & 127) | 128);
  bytes.push(rest & 127);
  return bytes;
}

/** Signed LEB128 of 64 bits. */
function signedWide(value: bigint): Wasm {
  if (value >= -0x8000_0000n && value <= 0x7fff_ffffn) return signed(Number(value));
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    const byte = Number(rest & 127n);
    const next = rest >> 7n;
    if ((next === 0n && (byte & 64) === 0) || (next === -1n && (byte & 64) !== 0)) {
      bytes.push(byte);
      return bytes;
    }
    bytes.push(byte | 128);
  }
}

/** An instruction of the kernel lacks an operand, so that nothing stands where a value should. */
export class MissingValueError extends Error {
  override readonly name = "MissingValueError";
}

/** Values of operands that the kernel's text left out are empty or not there at all. */
function present(operand: Wasm | undefined): void {
  if (operand === undefined || (typeof operand !== "number" && operand.length === 0))
    throw new MissingValueError("a value is missing");
}

/** One, two or three bytes in one number. */
function inOne([first, second, third]: readonly number[]): number {
  invariant(first !== undefined, "an instruction has a code");
  if (second === undefined) return first;
  return third === undefined ? two(first, second) : three(first, second, third);
}

/** The codes of a table as numbers, as `Wasm` has them. */
function packed<Name extends string>(
  table: Readonly<Record<Name, readonly number[]>>,
): ReadonlyMap<Name, number> {
  const codes = new Map<Name, number>();
  for (const name in table) {
    codes.set(name, inOne(table[name]));
  }
  return codes;
}

const plainCodes = packed<PlainOpcode>(opcodes.plain);
const memoryCodes = packed<MemoryOpcode>(opcodes.memory);

function codeOf<Name extends string>(codes: ReadonlyMap<Name, number>, name: Name): number {
  const code = codes.get(name);
  invariant(code !== undefined, "opcodes.json has every instruction by its name");
  return code;
}

/** Any instruction without immediates, after its operands. */
export function op(name: PlainOpcode, ...operands: readonly Wasm[]): Wasm {
  const code = codeOf(plainCodes, name);
  // By index, since taking a list apart costs more than all the rest where code runs for the first time.
  const first = operands[0];
  if (first === undefined) return code;
  present(first);
  if (operands.length === 1) return [first, code];
  const second = operands[1];
  present(second);
  if (operands.length === 2 && second !== undefined) return [first, second, code];
  for (let index = 2; index < operands.length; index += 1) present(operands[index]);
  return [operands, code];
}

/** A load: address, then a constant byte offset. */
export function load(name: MemoryOpcode, address: Wasm, offset = 0): Wasm {
  return [address, codeOf(memoryCodes, name), 0, unsigned(offset)];
}

/** A store: address, value, then a constant byte offset. */
export function store(name: MemoryOpcode, address: Wasm, value: Wasm, offset = 0): Wasm {
  return [address, value, codeOf(memoryCodes, name), 0, unsigned(offset)];
}

/** Extracts or replaces one lane; for a replacement `operands` are the vector and the new value. */
export function lane(name: LaneOpcode, index: number, ...operands: readonly Wasm[]): Wasm {
  return [operands, opcodes.lane[name], index];
}

/** Loads one lane of a vector and gives the vector, or stores one; at an address and a constant offset. */
export function laneMemory(
  name: LaneMemoryOpcode,
  index: number,
  [address, vector]: readonly [Wasm, Wasm],
  offset = 0,
): Wasm {
  return [address, vector, opcodes.laneMemory[name], 0, unsigned(offset), index];
}

/** Bytes of both vectors by index, 0 to 15 from the first and 16 to 31 from the second. */
export function shuffle(first: Wasm, second: Wasm, bytes: readonly number[] | Uint8Array): Wasm {
  return [first, second, two(0xfd, 0x0d), bytes];
}

export function i32(value: number): Wasm {
  const whole = value | 0;
  if (whole >= -64 && whole < 64) return two(0x41, whole & 127);
  return whole >= -0x2000 && whole < 0x2000
    ? three(0x41, (whole & 127) | 128, (whole >> 7) & 127)
    : [0x41, signed(whole)];
}

export function i64(value: bigint): Wasm {
  return [0x42, signedWide(BigInt.asIntN(64, value))];
}

export function f32(value: number): Wasm {
  const bytes = new Uint8Array(new Float32Array([value]).buffer);
  return [0x43, [...bytes]];
}

export function f64(value: number): Wasm {
  const bytes = new Uint8Array(new Float64Array([value]).buffer);
  return [0x44, [...bytes]];
}

/** Constants that were used before; most code needs the same few again and again. */
const splats = new Map<number, Wasm>();
const mostSplats = 1024;

/** Four equal 32-bit lanes. */
export function splat32(value: number): Wasm {
  const bits = value | 0;
  const known = splats.get(bits);
  if (known !== undefined) return known;
  const [a, b, c, d] = [bits & 255, (bits >>> 8) & 255, (bits >>> 16) & 255, bits >>> 24];
  const code = Uint8Array.of(0xfd, 0x0c, a, b, c, d, a, b, c, d, a, b, c, d, a, b, c, d);
  if (splats.size < mostSplats) splats.set(bits, code);
  return code;
}

/** Two equal 64-bit lanes. */
export function splat64(value: bigint): Wasm {
  const bytes = [...new Uint8Array(new BigUint64Array([BigInt.asUintN(64, value)]).buffer)];
  return [0xfd, 0x0c, bytes, bytes];
}

/** Four equal single-precision lanes. */
export function splatFloat(value: number): Wasm {
  return splat32(at(new Int32Array(new Float32Array([value]).buffer), 0));
}

/** Two equal double-precision lanes. */
export function splatDouble(value: number): Wasm {
  return splat64(at(new BigInt64Array(new Float64Array([value]).buffer), 0));
}

/** A vector of 16 bytes. */
export function bytes16(values: readonly number[]): Wasm {
  return [0xfd, 0x0c, values];
}

/** Four 32-bit lanes, each its own. */
export function lanes32(values: readonly [number, number, number, number]): Wasm {
  return bytes16([...new Uint8Array(new Int32Array(values).buffer)]);
}

export function get(local: number): Wasm {
  return withNumber(0x20, local);
}

export function set(local: number, value: Wasm): Wasm {
  present(value);
  return [value, withNumber(0x21, local)];
}

export function tee(local: number, value: Wasm): Wasm {
  return [value, withNumber(0x22, local)];
}

export function getGlobal(index: number): Wasm {
  return withNumber(0x23, index);
}

export function setGlobal(index: number, value: Wasm): Wasm {
  return [value, withNumber(0x24, index)];
}

export function call(index: number, ...operands: readonly Wasm[]): Wasm {
  for (let index = 0; index < operands.length; index += 1) present(operands[index]);
  return [operands, withNumber(0x10, index)];
}

/** Calls entry `element` of table 0; `type` is an index of the module's types. */
export function callIndirect(type: number, element: Wasm, ...operands: readonly Wasm[]): Wasm {
  return [operands, element, 0x11, unsigned(type), 0];
}

/**
 * Reads, changes and writes memory in one step among threads; the value is the old one. Operands: address,
 * value (for cmpxchg first the expected one).
 */
export function atomicUpdate(
  operation: keyof typeof atomicOpcodes,
  type: "i32" | "i64",
  ...operands: readonly Wasm[]
): Wasm {
  return [operands, 0xfe, atomicOpcodes[operation] + (type === "i64" ? 1 : 0), type === "i64" ? 3 : 2, 0];
}

const atomicOpcodes = { add: 0x1e, and: 0x2c, or: 0x33, xor: 0x3a, cmpxchg: 0x48 } as const;

/** Fills `bytes` from `address` on with a byte value. */
export function fillMemory(address: Wasm, value: Wasm, bytes: Wasm): Wasm {
  return [address, value, bytes, 0xfc, 0x0b, 0x00];
}

const noResult = 0x40;

export function block(...body: readonly Wasm[]): Wasm {
  return [0x02, noResult, body, 0x0b];
}

export function loop(...body: readonly Wasm[]): Wasm {
  return [0x03, noResult, body, 0x0b];
}

export function branch(depth: number): Wasm {
  return withNumber(0x0c, depth);
}

export function branchIf(depth: number, condition: Wasm): Wasm {
  return [condition, withNumber(0x0d, depth)];
}

export function when(condition: Wasm, then: Wasm, otherwise?: Wasm): Wasm {
  return [condition, 0x04, noResult, then, otherwise === undefined ? [] : [0x05, otherwise], 0x0b];
}

/** An expression that evaluates only one of two. */
export function choose(type: ValueType, condition: Wasm, then: Wasm, otherwise: Wasm): Wasm {
  return [condition, 0x04, typeCodes[type], then, 0x05, otherwise, 0x0b];
}
