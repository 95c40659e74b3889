import { at, known } from "../../base/known";
import { fail, type Outcome, succeed } from "../../base/outcome";
import type { ArgumentSpec, DataType } from "../spec";
import type { CapturedLaunch, CapturedPointer } from "./captured";

/** A parameter of a kernel as its source declares it. */
export interface KernelParameter {
  readonly name: string;
  readonly pointer: boolean;
  /** What it points to may not be written. */
  readonly readOnly: boolean;
  /** The kernel's text stores through it, under whatever condition. */
  readonly stores: boolean;
  /** Of a scalar, or of what a pointer points to; undefined for structures and unknown types. */
  readonly dtype: DataType | undefined;
}

/** A scalar argument of a launch. */
interface ScalarValue {
  readonly name: string;
  readonly dtype: DataType;
  readonly value: number;
}

/** A launch's arguments in the words of a spec. */
export interface ReadArguments {
  readonly arguments: readonly ArgumentSpec[];
  readonly scalars: readonly ScalarValue[];
  /** Name and dtype of each buffer, in the launch's order. */
  readonly buffers: readonly { readonly name: string; readonly dtype: DataType | undefined }[];
}

const addressBytes = 8;

/**
 * Reads the parameter block of a launch. The problem is a sentence: a pointer into memory that is none of the
 * GPU's allocations.
 */
export function readArguments(
  launch: CapturedLaunch,
  parameters: readonly KernelParameter[],
): Outcome<ReadArguments, string> {
  const buffers = launch.buffers.map((_, index) => nameBuffer(launch, parameters, index));
  const scalars: ScalarValue[] = [];
  const given: ArgumentSpec[] = [];
  for (const [index, { offset, size }] of launch.layout.entries()) {
    const parameter = parameters[index];
    const inside = launch.pointers.filter((each) => each.at >= offset && each.at < offset + size);
    const bytes = launch.parameters.subarray(offset, offset + size);
    if (parameter?.pointer === true && size === addressBytes) {
      const passed = readPointer(parameter, bytes, inside[0], buffers);
      if (!passed.ok) return passed;
      given.push(passed.value);
      continue;
    }
    const value = inside.length === 0 ? scalarValue(parameter, bytes) : undefined;
    if (value === undefined) given.push(bytesOf(bytes, offset, inside, buffers));
    else {
      scalars.push(value);
      given.push({ value: value.name, dtype: value.dtype });
    }
  }
  return succeed({ arguments: given, scalars, buffers });
}

type NamedBuffers = ReadArguments["buffers"];

/** A buffer has the name of the first pointer to it; in a structure also the place where it stands. */
function nameBuffer(
  launch: CapturedLaunch,
  parameters: readonly KernelParameter[],
  buffer: number,
): NamedBuffers[number] {
  const pointer = launch.pointers.find((each) => each.buffer === buffer);
  const { at: place } = known(pointer, "the pointer by which a launch reaches a buffer");
  const index = launch.layout.findIndex(({ offset, size }) => place >= offset && place < offset + size);
  const parameter = parameters[index];
  const name = parameter?.name ?? `argument${index}`;
  if (parameter?.pointer === true) return { name, dtype: parameter.dtype };
  return { name: `${name}_at_${place - at(launch.layout, index).offset}`, dtype: undefined };
}

/** The argument for a pointer. */
function readPointer(
  { name }: KernelParameter,
  bytes: Uint8Array,
  pointer: CapturedPointer | undefined,
  buffers: NamedBuffers,
): Outcome<ArgumentSpec, string> {
  if (pointer !== undefined) {
    const buffer = at(buffers, pointer.buffer).name;
    return succeed(pointer.offset === 0 ? buffer : { buffer, offset: pointer.offset });
  }
  if (bytes.every((byte) => byte === 0)) return succeed({ value: 0, dtype: "uint64" });
  return fail(`the argument ${name} points to memory that is no allocation of the GPU`);
}

function bytesOf(
  bytes: Uint8Array,
  offset: number,
  inside: readonly CapturedPointer[],
  buffers: NamedBuffers,
): ArgumentSpec {
  const plain = bytes.slice();
  for (const { at: place } of inside) plain.fill(0, place - offset, place - offset + addressBytes);
  const hex = [...plain].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (inside.length === 0) return { bytes: hex };
  const pointers = inside.map((each) => ({
    at: each.at - offset,
    buffer: at(buffers, each.buffer).name,
    offset: each.offset,
  }));
  return { bytes: hex, pointers };
}

/** Little endian, as PTX lays parameters out. Undefined for types that JSON's numbers do not hold. */
function scalarValue(parameter: KernelParameter | undefined, bytes: Uint8Array): ScalarValue | undefined {
  if (parameter?.dtype === undefined || parameter.pointer) return undefined;
  const { name, dtype } = parameter;
  const read = readers[dtype];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (read === undefined || bytes.byteLength !== read.size) return undefined;
  const value = read.read(view);
  return Number.isFinite(value) && (read.exact || Number.isSafeInteger(value))
    ? { name, dtype, value }
    : undefined;
}

interface Reader {
  readonly size: number;
  /** Every value is a number of JSON. */
  readonly exact: boolean;
  readonly read: (view: DataView) => number;
}

const readers: Readonly<Partial<Record<DataType, Reader>>> = {
  float64: { size: 8, exact: true, read: (view) => view.getFloat64(0, true) },
  float32: { size: 4, exact: true, read: (view) => view.getFloat32(0, true) },
  int64: { size: 8, exact: false, read: (view) => Number(view.getBigInt64(0, true)) },
  uint64: { size: 8, exact: false, read: (view) => Number(view.getBigUint64(0, true)) },
  int32: { size: 4, exact: false, read: (view) => view.getInt32(0, true) },
  uint32: { size: 4, exact: false, read: (view) => view.getUint32(0, true) },
  int16: { size: 2, exact: false, read: (view) => view.getInt16(0, true) },
  uint16: { size: 2, exact: false, read: (view) => view.getUint16(0, true) },
  int8: { size: 1, exact: false, read: (view) => view.getInt8(0) },
  uint8: { size: 1, exact: false, read: (view) => view.getUint8(0) },
  bool: { size: 1, exact: false, read: (view) => view.getUint8(0) },
};
