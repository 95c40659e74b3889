import { at } from "../../../core/base/known";
import type { ProbeArgument, ProbeStructure } from "../../../core/ports/prober";
import { itemBytes } from "../../../core/workload/item-bytes";
import { bufferObservation } from "../../../core/workload/probe/buffer-observation";
import type { BufferObservation, TouchedSpan } from "../../../core/workload/probe/observation";
import type { DataType } from "../../../core/workload/spec";
import { scalarBytes } from "../evaluation/case-shapes";
import type { JobBuffer, JobPointer } from "../gpu/virtual-gpu";
import { haloBytes, probeContent, roomBytes } from "./probe-content";

/** Structures of a table in a probe, more than any size of one; and numbers of a row. */
const [tableLength, rowLength] = [2048, 2048];

/** Bytes from a row to the next one. */
function pitchOf(dtype: DataType): number {
  return rowLength * itemBytes[dtype];
}

/**
 * The rows of a table, and behind them the table, which holds the address of each. `first`: how many buffers
 * come before.
 */
export function pointedRows({ byteLength, fields }: ProbeStructure, first: number): readonly JobBuffer[] {
  const rows: JobBuffer[] = [];
  const bytes = new Uint8Array(tableLength * byteLength);
  const pointers: JobPointer[] = [];
  for (const { at: byte, argument } of fields) {
    const places = Array.from({ length: tableLength }, (_, index) => index * byteLength + byte);
    if (argument.kind === "scalar") {
      for (const place of places) bytes.set(scalarBytes(argument.value, argument.dtype), place);
      continue;
    }
    const [buffer, pitch] = [first + rows.length, pitchOf(argument.dtype)];
    rows.push({
      name: argument.name,
      bytes: probeContent(argument.dtype, argument.content),
      readOnly: false,
      room: haloBytes + tableLength * pitch + roomBytes,
    });
    const addresses = places.map((place, index) => ({
      at: place,
      buffer,
      offset: haloBytes + index * pitch,
    }));
    pointers.push(...addresses);
  }
  return [...rows, { name: tableName(rows), bytes, readOnly: true, pointers }];
}

function tableName(rows: readonly { readonly name: string }[]): string {
  return `the table of ${rows.map(({ name }) => name).join(", ")}`;
}

interface SeenRows {
  /** As if the rows lay one behind the other. */
  readonly inRows: BufferObservation;
  readonly faults: readonly { readonly kind: string; readonly message: string }[];
}

interface SeenBuffers {
  readonly buffers: readonly BufferObservation[];
  /** Rows that were longer than there was room for. */
  readonly faults: SeenRows["faults"];
}

/** What was seen of each buffer that a launch was handed, counted from the address that it got. */
export function seenBuffers(
  handed: readonly ProbeArgument[],
  allocations: readonly BufferObservation[],
): SeenBuffers {
  const seen = (wanted: string): BufferObservation =>
    bufferObservation(
      at(
        allocations.filter(({ name }) => name === wanted),
        0,
      ),
      haloBytes,
    );
  const byRows = new Map(handed.flatMap((argument) => rowsOf(argument, allocations, seen)));
  return {
    buffers: handed.flatMap(buffersIn).map((name) => byRows.get(name)?.inRows ?? seen(name)),
    faults: [...byRows.values()].flatMap((each) => each.faults),
  };
}

/** Names of the buffers of an argument. */
function buffersIn(argument: ProbeArgument): readonly string[] {
  if (argument.kind === "structure") return argument.fields.flatMap((field) => buffersIn(field.argument));
  return argument.kind === "buffer" ? [argument.name] : [];
}

/** What was seen of the rows of an argument, by their names; nothing where it is no table. */
function rowsOf(
  argument: ProbeArgument,
  allocations: readonly BufferObservation[],
  seen: (name: string) => BufferObservation,
): readonly (readonly [string, SeenRows])[] {
  if (argument.kind !== "structure" || argument.isPointed !== true) return [];
  const { fields, byteLength } = argument;
  const buffers = fields.flatMap(({ argument: each }) => (each.kind === "buffer" ? each : []));
  const table = allocations.find(({ name }) => name === tableName(buffers));
  const count = Math.ceil((table?.read?.to ?? 0) / byteLength);
  return buffers.map(
    ({ name, dtype }) => [name, inRows(seen(name), { pitch: pitchOf(dtype), count })] as const,
  );
}

function inRows(
  buffer: BufferObservation,
  { pitch, count }: { readonly pitch: number; readonly count: number },
): SeenRows {
  const ends = [buffer.read, buffer.written].flatMap((span) => span?.to ?? []);
  const rowAt = (end: number): number => Math.floor((end - 1) / pitch);
  const bytes = Math.max(0, ...ends.map((end) => end - rowAt(end) * pitch));
  // Where a row is longer than there is room for, it lies in those behind it.
  const isOver = ends.some((end) => rowAt(end) >= count);
  const flat = (place: number): number => Math.floor(place / pitch) * bytes + (place % pitch);
  const moved = ({ from, to, ...span }: TouchedSpan): TouchedSpan => ({
    ...{ ...span, from: flat(from) },
    to: rowAt(to) * bytes + to - rowAt(to) * pitch,
  });
  const { read, written, readFirst } = buffer;
  return {
    inRows: {
      ...buffer,
      ...(read && { read: moved(read) }),
      ...(written && { written: moved(written) }),
      ...(readFirst && { readFirst: moved(readFirst) }),
      rows: { count, bytes },
    },
    faults: isOver ? [{ kind: "out-of-bounds", message: `a row of "${buffer.name}" has no end` }] : [],
  };
}
