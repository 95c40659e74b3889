import { type ByteReader, UnreadableCubin } from "./byte-reader";
import { type Elf, sectionReader } from "./elf";

/** One kernel parameter as it lies in the parameter block. */
export interface KernelParameter {
  readonly ordinal: number;
  /** Byte offset in the parameter block. */
  readonly offset: number;
  readonly size: number;
}

/**
 * What the toolkit notes about one function, from `.nv.info` and `.nv.info.NAME`. Absent fields were not
 * noted.
 */
export interface FunctionInfo {
  registers?: number;
  /** Bytes of stack of the function itself. */
  frameBytes?: number;
  /** Bytes of stack that a launch needs at least, called functions included. */
  minimumStackBytes?: number;
  barriers?: number;
  registerLimit?: number;
  /** From `__launch_bounds__`: threads of a block at most. */
  maximumThreads?: number;
  /** From `.reqntid`: threads of a block exactly. */
  requiredThreads?: number;
  parameterBytes?: number;
  parameters: KernelParameter[];
  /** Offsets of the instructions that save or restore a register for lack of room. */
  spillOffsets: number[];
}

const attribute = {
  maximumThreads: 0x05,
  parameterBank: 0x0a,
  requiredThreads: 0x10,
  frameSize: 0x11,
  minimumStack: 0x12,
  parameter: 0x17,
  parameterBytes: 0x19,
  registerLimit: 0x1b,
  registers: 0x2f,
  largeParameter: 0x45,
  barriers: 0x4c,
  annotations: 0x55,
} as const;

/** The first field of a record of attribute 0x55: a register that did not fit is saved or restored here. */
const spillAnnotation = 1;

/**
 * A record is a format byte, an attribute byte, and a 16-bit value or, for format 4, a 16-bit length and that
 * many bytes.
 */
interface InfoRecord {
  readonly attribute: number;
  readonly value: number;
  readonly payload: ByteReader;
}

const formats = { none: 1, byte: 2, half: 3, sized: 4 } as const;

function* records(reader: ByteReader): Generator<InfoRecord> {
  while (!reader.atEnd) {
    const at = reader.position;
    const format = reader.u8();
    const code = reader.u8();
    const value = reader.u16();
    if (format < formats.none || format > formats.sized)
      throw new UnreadableCubin({
        kind: "malformed",
        message: `a kernel information record has format ${format}, expected 1 to 4`,
        offset: at,
      });
    yield {
      attribute: code,
      value: format === formats.byte ? value & 0xff : value,
      payload: reader.slice(format === formats.sized ? value : 0),
    };
  }
}

/** Reads the notes about every function, by the index of its symbol. */
export function readFunctionInfo(elf: Elf): ReadonlyMap<number, FunctionInfo> {
  const known = new Map<number, FunctionInfo>();
  const infoOf = (symbol: number): FunctionInfo => {
    const info = known.get(symbol) ?? { parameters: [], spillOffsets: [] };
    known.set(symbol, info);
    return info;
  };
  const symbolOfSection = new Map(
    elf.symbols.filter((symbol) => symbol.isEntry).map((symbol) => [symbol.section, symbol.index]),
  );
  let budget = elf.bytes.byteLength;
  for (const section of elf.sections.filter(({ name }) => name.startsWith(".nv.info"))) {
    budget -= section.size;
    if (budget < 0)
      throw new UnreadableCubin({
        kind: "malformed",
        message: "the kernel information sections of the cubin overlap",
        offset: section.offset,
      });
    if (section.name === ".nv.info") {
      for (const record of records(sectionReader(elf, section))) noteModuleRecord(record, infoOf);
    } else if (section.name.startsWith(".nv.info.")) {
      const symbol = symbolOfSection.get(section.info);
      if (symbol === undefined) continue;
      for (const record of records(sectionReader(elf, section))) noteKernelRecord(record, infoOf(symbol));
    }
  }
  for (const info of known.values()) info.parameters.sort((a, b) => a.ordinal - b.ordinal);
  return known;
}

function noteModuleRecord(
  { attribute: code, payload }: InfoRecord,
  infoOf: (symbol: number) => FunctionInfo,
): void {
  if (code !== attribute.registers && code !== attribute.frameSize && code !== attribute.minimumStack) return;
  const info = infoOf(payload.u32());
  const value = payload.u32();
  if (code === attribute.registers) info.registers = value;
  else if (code === attribute.frameSize) info.frameBytes = value;
  else info.minimumStackBytes = value;
}

function noteKernelRecord(record: InfoRecord, info: FunctionInfo): void {
  const { value, payload } = record;
  switch (record.attribute) {
    case attribute.registerLimit:
      info.registerLimit = value;
      break;
    case attribute.parameterBytes:
      info.parameterBytes = value;
      break;
    case attribute.barriers:
      info.barriers = value;
      break;
    case attribute.maximumThreads:
      info.maximumThreads = payload.u32() * payload.u32() * payload.u32();
      break;
    case attribute.requiredThreads:
      info.requiredThreads = payload.u32() * payload.u32() * payload.u32();
      break;
    case attribute.parameter:
      info.parameters.push(readParameter(payload));
      break;
    case attribute.largeParameter:
      info.parameters.push(readLargeParameter(payload));
      break;
    case attribute.annotations:
      info.spillOffsets.push(...readSpillOffsets(payload));
      break;
    default:
      break;
  }
}

/** Index, ordinal, offset, and a word whose bits 18 and up are the size in bytes. */
function readParameter(payload: ByteReader): KernelParameter {
  payload.u32();
  const ordinal = payload.u16();
  const offset = payload.u16();
  return { ordinal, offset, size: payload.u32() >>> 18 };
}

/** The form for parameters over 4 KiB: the size is a 16-bit field of its own. */
function readLargeParameter(payload: ByteReader): KernelParameter {
  payload.u32();
  const ordinal = payload.u16();
  const offset = payload.u16();
  return { ordinal, offset, size: payload.u16() };
}

/**
 * Pairs of a kind and an offset; the list ends at the first kind that is not known here, for its length is
 * not known either.
 */
function readSpillOffsets(payload: ByteReader): number[] {
  const offsets: number[] = [];
  while (!payload.atEnd) {
    if (payload.u32() !== spillAnnotation) break;
    offsets.push(payload.u32());
  }
  return offsets;
}
