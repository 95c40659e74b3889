import { ByteReader, TextBudget, UnreadableCubin } from "./byte-reader";

interface Section {
  readonly index: number;
  readonly name: string;
  readonly type: number;
  /** The lower half of the section's flags. */
  readonly flags: number;
  readonly offset: number;
  readonly size: number;
  /** Index of a linked section: the string table of a symbol table. */
  readonly link: number;
  readonly info: number;
}

export interface ElfSymbol {
  readonly index: number;
  readonly name: string;
  readonly isFunction: boolean;
  /** True for a `__global__` function: STO_CUDA_ENTRY in the symbol's other field. */
  readonly isEntry: boolean;
  readonly section: number;
  readonly value: number;
  readonly size: number;
}

interface Relocation {
  readonly offset: number;
  readonly symbol: number;
  readonly addend: number;
}

export interface Elf {
  readonly bytes: Uint8Array;
  /** Compute capability times ten: 90 for sm_90. */
  readonly architecture: number;
  readonly sections: readonly Section[];
  readonly symbols: readonly ElfSymbol[];
  readonly sectionsByName: ReadonlyMap<string, Section>;
  /** What all names of the file together may take. */
  readonly texts: TextBudget;
}

const elfMagic = 0x464c457f;
const cudaMachine = 190;
const noBits = 8;
const symbolTable = 2;
const headerSize = 64;
const symbolSize = 24;
const relocationSize = 24;
/**
 * The largest file that is read, in bytes: hundreds of times what ptxas writes for a large kernel library.
 */
const largestFile = 1 << 26;

/**
 * Reads sections and symbols of an ELF64 file for NVIDIA's architecture.
 * @throws UnreadableCubin for anything else.
 */
export function readElf(bytes: Uint8Array): Elf {
  const header = new ByteReader(bytes);
  if (bytes.byteLength > largestFile)
    throw new UnreadableCubin({
      kind: "too-large",
      message: `the cubin has ${bytes.byteLength} bytes, at most ${largestFile} are read`,
    });
  if (bytes.byteLength < headerSize || header.u32() !== elfMagic)
    throw new UnreadableCubin({
      kind: "not-a-cubin",
      message: "the file does not begin with an ELF header: expected a cubin made by ptxas",
      offset: 0,
    });
  if (header.u8() !== 2 || header.u8() !== 1)
    throw new UnreadableCubin({
      kind: "not-a-cubin",
      message: "the file is not a little-endian ELF64 file: expected a cubin made by ptxas",
      offset: 4,
    });
  header.position = 18;
  if (header.u16() !== cudaMachine)
    throw new UnreadableCubin({
      kind: "not-a-cubin",
      message: "the ELF file is not for NVIDIA's architecture: expected a cubin made by ptxas",
      offset: 18,
    });
  header.position = 40;
  const sectionTable = header.u64();
  const architecture = architectureOf(header.u32());
  header.position = 58;
  const entrySize = header.u16();
  const count = header.u16();
  const nameSection = header.u16();
  if (entrySize !== headerSize)
    throw new UnreadableCubin({
      kind: "malformed",
      message: `a section header has ${entrySize} bytes, expected 64`,
      offset: 58,
    });
  const texts = new TextBudget();
  const sections = nameSections(bytes, readSectionHeaders(bytes, sectionTable, count), {
    nameSection,
    texts,
  });
  const sectionsByName = new Map(sections.map((section) => [section.name, section]));
  return {
    bytes,
    architecture,
    sections,
    symbols: readSymbols(bytes, sections, texts),
    sectionsByName,
    texts,
  };
}

/** Toolkit 13 keeps the number in bits 8 to 15 of the flags, older ones in the lowest byte. */
function architectureOf(flags: number): number {
  const supported = (value: number): boolean => value >= 75 && value <= 121;
  const [modern, older] = [(flags >>> 8) & 0xff, flags & 0xff];
  if (supported(modern)) return modern;
  if (supported(older)) return older;
  throw new UnreadableCubin({
    kind: "unsupported-architecture",
    message: `the cubin is for an architecture that is not known here (flags 0x${flags.toString(16)}): expected sm_75 to sm_121`,
    offset: 48,
  });
}

interface RawSection extends Omit<Section, "name"> {
  readonly nameOffset: number;
}

function readSectionHeaders(bytes: Uint8Array, table: number, count: number): RawSection[] {
  const reader = new ByteReader(bytes, Math.min(table, bytes.byteLength));
  return Array.from({ length: count }, (_, index) => {
    const nameOffset = reader.u32();
    const type = reader.u32();
    const flags = reader.u32();
    reader.u32();
    reader.u64();
    const offset = reader.u64();
    const size = reader.u64();
    const link = reader.u32();
    const info = reader.u32();
    reader.u64();
    reader.u64();
    if (type !== noBits && type !== 0 && offset + size > bytes.byteLength)
      throw new UnreadableCubin({
        kind: "truncated",
        message: `section ${index} ends beyond the file of ${bytes.byteLength} bytes: compile the kernel again`,
        offset,
      });
    return { index, nameOffset, type, flags, offset, size, link, info };
  });
}

/** A name at an offset of a string table. */
function nameIn(bytes: Uint8Array, table: RawSection | Section, offset: number): string {
  return new ByteReader(bytes, table.offset + Math.min(offset, table.size), table.offset + table.size).text();
}

function nameSections(
  bytes: Uint8Array,
  raw: readonly RawSection[],
  by: { readonly nameSection: number; readonly texts: TextBudget },
): Section[] {
  const table = raw[by.nameSection];
  if (table === undefined || table.type === noBits)
    throw new UnreadableCubin({
      kind: "malformed",
      message: `the cubin names no section ${by.nameSection} with section names`,
      offset: 62,
    });
  return raw.map(({ nameOffset, ...section }) => ({
    ...section,
    name: section.type === 0 ? "" : by.texts.spend(nameIn(bytes, table, nameOffset)),
  }));
}

function readSymbols(bytes: Uint8Array, sections: readonly Section[], texts: TextBudget): ElfSymbol[] {
  const table = sections.find((section) => section.type === symbolTable);
  if (table === undefined) return [];
  const strings = sections[table.link];
  if (strings === undefined || strings.type === noBits)
    throw new UnreadableCubin({
      kind: "malformed",
      message: "the symbol table names no string table",
      offset: table.offset,
    });
  const reader = new ByteReader(bytes, table.offset, table.offset + table.size);
  return Array.from({ length: Math.floor(table.size / symbolSize) }, (_, index) => {
    const nameOffset = reader.u32();
    const info = reader.u8();
    const other = reader.u8();
    const section = reader.u16();
    const value = reader.u64();
    const size = reader.u64();
    return {
      index,
      name: texts.spend(nameIn(bytes, strings, nameOffset)),
      isFunction: (info & 0xf) === 2,
      isEntry: (other & 0x10) !== 0,
      section,
      value,
      size,
    };
  });
}

export function sectionNamed(elf: Elf, name: string): Section | undefined {
  return elf.sectionsByName.get(name);
}

/** The bytes of a section; none for one that takes no room in the file. */
export function sectionReader(elf: Elf, section: Section): ByteReader {
  return section.type === noBits
    ? new ByteReader(elf.bytes, 0, 0)
    : new ByteReader(elf.bytes, section.offset, section.offset + section.size);
}

/** Relocations with and without an addend (`.rela.NAME` or `.rel.NAME`) of a section. */
export function relocationsOf(elf: Elf, name: string): Relocation[] {
  const withAddend = sectionNamed(elf, `.rela${name}`);
  const section = withAddend ?? sectionNamed(elf, `.rel${name}`);
  if (section === undefined) return [];
  const reader = sectionReader(elf, section);
  return Array.from(
    { length: Math.floor((reader.end - reader.position) / (withAddend ? relocationSize : 16)) },
    () => {
      const offset = reader.u64();
      reader.u32();
      const symbol = reader.u32();
      return { offset, symbol, addend: withAddend ? reader.u64() : 0 };
    },
  );
}
