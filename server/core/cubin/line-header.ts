import { ByteReader, UnreadableCubin } from "./byte-reader";
import { type Elf, sectionNamed, sectionReader } from "./elf";

/**
 * The head of one DWARF line table (DWARF 2 to 4: section 6.2.4; DWARF 5: the same section with described
 * entries).
 */
export interface LineHeader {
  readonly version: number;
  readonly minimumInstructionLength: number;
  readonly lineBase: number;
  readonly lineRange: number;
  readonly opcodeBase: number;
  /** Number of operands of each standard opcode, from opcode 1. */
  readonly operandCounts: readonly number[];
  /** Full paths, indexed as the line program names them. */
  readonly files: string[];
  readonly directories: readonly string[];
  /** The statements of the program. */
  readonly program: ByteReader;
}

/** Reads one unit from the reader and leaves the reader behind it. */
export function readLineHeader(elf: Elf, reader: ByteReader): LineHeader {
  const at = reader.position;
  const length = reader.u32();
  if (length >= 0xfffffff0)
    throw new UnreadableCubin({
      kind: "malformed",
      message: "a line table has the 64-bit DWARF form, which no CUDA toolkit writes",
      offset: at,
    });
  const unit = reader.slice(length);
  const version = unit.u16();
  if (version < 2 || version > 5)
    throw new UnreadableCubin({
      kind: "malformed",
      message: `a line table has DWARF version ${version}, expected 2 to 5`,
      offset: at,
    });
  if (version >= 5) unit.u16();
  const headerLength = unit.u32();
  const header = unit.slice(headerLength);
  const minimumInstructionLength = header.u8();
  if (version >= 4) header.u8();
  header.u8();
  const lineBase = (header.u8() << 24) >> 24;
  const lineRange = header.u8();
  const opcodeBase = header.u8();
  if (lineRange === 0 || opcodeBase === 0)
    throw new UnreadableCubin({
      kind: "malformed",
      message: "a line table has a line range or an opcode base of zero",
      offset: at,
    });
  const operandCounts = Array.from({ length: opcodeBase - 1 }, () => header.u8());
  const { directories, files } = version >= 5 ? readDescribedFiles(elf, header) : readPlainFiles(elf, header);
  return {
    version,
    minimumInstructionLength,
    lineBase,
    lineRange,
    opcodeBase,
    operandCounts,
    files,
    directories,
    program: unit,
  };
}

/** Joins a directory and a name as DWARF means them: an absolute name stands alone. */
function joinPath(directory: string | undefined, name: string): string {
  return name.startsWith("/") || directory === undefined || directory === "" ? name : `${directory}/${name}`;
}

/** One entry of a version 2 to 4 file table, after its name. */
export function readFileEntry(reader: ByteReader, name: string, directories: readonly string[]): string {
  const directory = reader.uleb();
  reader.uleb();
  reader.uleb();
  return joinPath(directory === 0 ? undefined : directories[directory], name);
}

function readPlainFiles(elf: Elf, header: ByteReader): { directories: string[]; files: string[] } {
  const directories = [""];
  for (let name = header.text(); name !== ""; name = header.text()) directories.push(elf.texts.spend(name));
  const files = [""];
  for (let name = header.text(); name !== ""; name = header.text())
    files.push(elf.texts.spend(readFileEntry(header, name, directories)));
  return { directories, files };
}

interface EntryForm {
  readonly content: number;
  readonly form: number;
}

const content = { path: 1, directory: 2 } as const;
/** Directories or files of one line table: hundreds of times what a compiler writes. */
const entryLimit = 1 << 18;

function readDescribedFiles(elf: Elf, header: ByteReader): { directories: string[]; files: string[] } {
  const directories = readEntries(elf, header).map((entry) => String(entry.get(content.path) ?? ""));
  const files = readEntries(elf, header).map((entry) =>
    elf.texts.spend(
      joinPath(directories[Number(entry.get(content.directory) ?? 0)], String(entry.get(content.path) ?? "")),
    ),
  );
  return { directories, files };
}

function readEntries(elf: Elf, header: ByteReader): Map<number, string | number>[] {
  const forms: EntryForm[] = Array.from({ length: header.u8() }, () => ({
    content: header.uleb(),
    form: header.uleb(),
  }));
  const count = header.uleb();
  if (count > header.end - header.position || (count > 0 && forms.length === 0))
    throw new UnreadableCubin({
      kind: "malformed",
      message: `a line table promises ${count} entries and has no room for them`,
      offset: header.position,
    });
  if (count > entryLimit)
    throw new UnreadableCubin({
      kind: "too-large",
      message: `a line table names more than ${entryLimit} files or directories`,
    });
  return Array.from(
    { length: count },
    () => new Map(forms.map(({ content: kind, form }) => [kind, readForm(elf, header, form)])),
  );
}

/**
 * The DWARF forms that a file table may use (DWARF 5, section 7.5.6), each of them at least one byte long.
 */
function readForm(elf: Elf, reader: ByteReader, form: number): string | number {
  switch (form) {
    case 0x08:
      return elf.texts.spend(reader.text());
    case 0x0b:
      return reader.u8();
    case 0x05:
      return reader.u16();
    case 0x06:
      return reader.u32();
    case 0x0f:
      return reader.uleb();
    case 0x0e:
      return pooledText(elf, ".debug_str", reader.u32());
    case 0x1f:
      return pooledText(elf, ".debug_line_str", reader.u32());
    case 0x1e:
      reader.slice(16);
      return 0;
    default:
      throw new UnreadableCubin({
        kind: "malformed",
        message: `a file table uses the unknown form 0x${form.toString(16)}`,
        offset: reader.position,
      });
  }
}

function pooledText(elf: Elf, section: string, offset: number): string {
  const found = sectionNamed(elf, section);
  if (found === undefined) return "";
  const reader = sectionReader(elf, found);
  return elf.texts.spend(
    new ByteReader(elf.bytes, Math.min(reader.position + offset, reader.end), reader.end).text(),
  );
}
