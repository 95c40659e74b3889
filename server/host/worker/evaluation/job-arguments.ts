import { at, known, mustGet } from "../../../core/base/known";
import { OperationalError } from "../../../core/base/operational-error";
import type { ArgumentSpec, ElementField, FieldsArgument, ShapeCase } from "../../../core/workload/spec";
import { itemBytes } from "../../../core/workload/item-bytes";
import type { JobArgument, JobBuffer, JobPointer, LaunchJob } from "../gpu/virtual-gpu";
import { poisoned } from "./buffers";
import { type ResolvedShape, scalarBytes, scalarOf, sizeOf } from "./case-shapes";
import type { RunRequest } from "./kernel-runner";

/** The buffers of a run, and the index of each by its name. */
export interface Placed {
  readonly buffers: readonly JobBuffer[];
  readonly index: ReadonlyMap<string, number>;
}

/**
 * Inputs as they are, then the outputs that are no inputs, filled with a pattern that no correct kernel
 * leaves.
 */
export function placeBuffers(
  { shape, inputs, fill = "first" }: RunRequest,
  symbols: readonly string[],
): Placed {
  const ofModule = (name: string): { symbol?: true } => (symbols.includes(name) ? { symbol: true } : {});
  const isOutput = (name: string): boolean => shape.outputs.some((output) => output.name === name);
  const buffers: JobBuffer[] = shape.inputs.map((input, position) => ({
    name: input.name,
    bytes: at(inputs, position),
    readOnly: !isOutput(input.name),
    ...ofModule(input.name),
  }));
  const index = new Map(buffers.map((buffer, position) => [buffer.name, position]));
  for (const output of shape.outputs) {
    if (index.has(output.name)) continue;
    index.set(output.name, buffers.length);
    buffers.push({
      name: output.name,
      bytes: poisoned(output, fill),
      readOnly: false,
      unwritten: true,
      ...ofModule(output.name),
    });
  }
  return { buffers, index };
}

/** The arguments of a launch, and the arrays of structures that they are the addresses of. */
export function jobArguments(
  given: readonly ArgumentSpec[],
  placed: Placed,
  shape: ResolvedShape,
): { readonly arguments: readonly JobArgument[]; readonly tables: readonly JobBuffer[] } {
  const tables: JobBuffer[] = [];
  const passed = given.map((argument): JobArgument => {
    if (typeof argument === "string" || !("fields" in argument) || argument.count === undefined)
      return jobArgument(argument, placed, shape);
    const count = sizeOf(argument.count, shape.shape.sizes, "the count of an argument");
    tables.push(tableOf(argument, count, { placed, shape }));
    return { kind: "pointer", buffer: placed.buffers.length + tables.length - 1, offset: 0 };
  });
  return { arguments: passed, tables };
}

/** So many structures, one behind the other. */
function tableOf(
  { fields, byteLength }: FieldsArgument,
  count: number,
  { placed, shape: resolved }: { readonly placed: Placed; readonly shape: ResolvedShape },
): JobBuffer {
  const { shape } = resolved;
  const bytes = new Uint8Array(count * byteLength);
  const pointers: JobPointer[] = [];
  for (const field of fields) {
    if ("each" in field) {
      const elements = elementsOf(field, placed, resolved);
      for (let index = 0; index < count; index += 1)
        bytes.set(elements(index, count), index * byteLength + field.at);
      continue;
    }
    const isAddress = "buffer" in field;
    const number = isAddress ? undefined : scalarBytes(scalarOf(field, shape), field.dtype);
    const stride = isAddress ? sizeOf(field.stride ?? 0, shape.sizes, "the stride of an argument") : 0;
    for (let index = 0; index < count; index += 1) {
      const place = index * byteLength + field.at;
      if (number !== undefined) bytes.set(number, place);
      else if (isAddress)
        pointers.push({ at: place, buffer: mustGet(placed.index, field.buffer), offset: index * stride });
    }
  }
  const [first] = fields.flatMap((field) => ("buffer" in field ? field.buffer : []));
  return { name: `the table of ${first ?? "structures"}`, bytes, readOnly: true, pointers };
}

/** The bytes of each element of an input that lies in structures. */
function elementsOf(
  { each }: ElementField,
  { buffers, index }: Placed,
  { inputs }: ResolvedShape,
): (position: number, count: number) => Uint8Array {
  const { bytes } = at(buffers, mustGet(index, each));
  const { dtype } = known(
    inputs.find(({ name }) => name === each),
    "the input of a field",
  );
  const length = itemBytes[dtype];
  return (position, count) => {
    if (count * length > bytes.length) throw tooFewElements(each, bytes.length / length, count);
    return bytes.subarray(position * length, (position + 1) * length);
  };
}

function tooFewElements(each: string, has: number, count: number): OperationalError {
  return new OperationalError("spec-invalid", {
    forUser: `kernel spec: each of ${count} structures takes an element of "${each}", which has ${has}: give it as many`,
  });
}

/** An argument of the spec as the virtual GPU takes it. */
export function jobArgument(argument: ArgumentSpec, placed: Placed, { shape }: ResolvedShape): JobArgument {
  const indexOf = (name: string): number => mustGet(placed.index, name);
  if (typeof argument === "string") return { kind: "pointer", buffer: indexOf(argument), offset: 0 };
  if ("buffer" in argument)
    return {
      kind: "pointer",
      buffer: indexOf(argument.buffer),
      offset: sizeOf(argument.offset, shape.sizes, "the offset of an argument"),
    };
  if ("fields" in argument) return structureBytes(argument, indexOf, shape);
  if (!("bytes" in argument))
    return { kind: "scalar", bytes: scalarBytes(scalarOf(argument, shape), argument.dtype) };
  const pointers = (argument.pointers ?? []).map(({ at, buffer, offset }) => ({
    at,
    buffer: indexOf(buffer),
    offset,
  }));
  return { kind: "scalar", bytes: new Uint8Array(Buffer.from(argument.bytes, "hex")), pointers };
}

/** A structure with the numbers of its fields, and where the addresses go. */
function structureBytes(
  { fields, byteLength }: FieldsArgument,
  indexOf: (name: string) => number,
  shape: ShapeCase,
): JobArgument {
  const bytes = new Uint8Array(byteLength);
  const pointers = [];
  for (const field of fields)
    if ("buffer" in field) pointers.push({ at: field.at, buffer: indexOf(field.buffer), offset: 0 });
    else if ("value" in field) bytes.set(scalarBytes(scalarOf(field, shape), field.dtype), field.at);
  return { kind: "scalar", bytes, pointers };
}

/** Where the watched element of an output lies. */
export function watchedByte(
  { shape, watched }: RunRequest,
  { index }: Pick<Placed, "index">,
): LaunchJob["watched"] {
  const output = watched && shape.outputs[watched.output];
  if (watched === undefined || output === undefined) return undefined;
  return { buffer: mustGet(index, output.name), byte: watched.element * itemBytes[output.dtype] };
}
