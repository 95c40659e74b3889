import { type PtxType, findDeclaredType, types } from "./types";
import type { StateSpace, Variable } from "./module";
import { PtxSyntaxError, type TokenReader } from "./reader";

/** Largest variable that we hold; more is refused as absurd. */
const maximumBytes = 1 << 28;

/** The head of a declaration: alignment, element type and name. */
interface Declared {
  readonly align: number;
  readonly element: number;
  readonly type: PtxType;
  readonly name: string;
  readonly isPointer: boolean;
  /** Bytes in all; 0 for `name[]`. */
  readonly size: number;
}

/** Reads `.align 4 .ptr .global .b8 name[12][3]` after the state space (PTX ISA section 5.4). */
export function readDeclared(reader: TokenReader): Declared {
  let align = 0;
  let vector = 1;
  let isPointer = false;
  let type: PtxType | undefined;
  for (;;) {
    const token = reader.peek();
    if (!token.text.startsWith(".")) break;
    reader.next();
    const part = token.text.slice(1);
    if (part === "align") align = reader.count("an alignment", 1 << 16);
    else if (part === "ptr") isPointer = true;
    else if (part === "v2") vector = 2;
    else if (part === "v4") vector = 4;
    else if (part === "attribute") skipParentheses(reader);
    else if (findDeclaredType(part)) type = findDeclaredType(part);
    else if (!ignoredWords.has(part))
      throw new PtxSyntaxError(`unexpected "${token.text}" in a declaration`, token.line);
  }
  const name = reader.word("a name");
  if (type === undefined) throw new PtxSyntaxError(`"${name}" has no type that we know`, reader.peek().line);
  const element = type.bytes * vector;
  return { align: align || element, element, type, name, isPointer, size: readSize(reader, element) };
}

/** What may follow `.ptr`, and linkage words. */
const ignoredWords: ReadonlySet<string> = new Set([
  "global",
  "shared",
  "local",
  "const",
  "generic",
  "visible",
  "weak",
  "extern",
]);

function skipParentheses(reader: TokenReader): void {
  reader.expect("(");
  reader.skipTo(")");
}

function readSize(reader: TokenReader, element: number): number {
  let size = element;
  while (reader.accept("[")) {
    if (reader.accept("]")) {
      size = 0;
      continue;
    }
    const { line } = reader.peek();
    size *= reader.count("an array size", maximumBytes);
    reader.expect("]");
    if (size > maximumBytes)
      throw new PtxSyntaxError(`a variable is larger than ${maximumBytes} bytes`, line);
  }
  return size;
}

type Reference = Variable["references"][number];

/** Reads a whole variable up to its semicolon or comma, with the initialiser (PTX ISA section 5.4.4). */
export function readVariable(reader: TokenReader, space: StateSpace): Variable {
  const { line } = reader.peek();
  const declared = readDeclared(reader);
  const base = { name: declared.name, space, align: declared.align };
  if (!reader.accept("=")) return { ...base, size: declared.size, references: [] };
  const values: {
    readonly bits: bigint;
    readonly reference?: { readonly symbol: string; readonly offset: number };
  }[] = [];
  readValues(reader, values, declared);
  const size = declared.size || values.length * declared.element;
  const width = declared.type.bytes;
  if (values.length * width > size)
    throw new PtxSyntaxError(`"${declared.name}" has more values than room`, line);
  reader.claim(size);
  const initial = new Uint8Array(size);
  const references: Reference[] = [];
  for (const [index, value] of values.entries()) {
    let { bits } = value;
    for (let byte = 0; byte < width; byte += 1, bits >>= 8n)
      initial[index * width + byte] = Number(bits & 0xffn);
    if (!value.reference) continue;
    if (width !== 8)
      throw new PtxSyntaxError(`"${declared.name}" holds an address in less than 64 bits`, line);
    references.push({ at: index * width, symbol: value.reference.symbol, offset: value.reference.offset });
  }
  return { ...base, size, initial, references };
}

interface Value {
  readonly bits: bigint;
  readonly reference?: { readonly symbol: string; readonly offset: number };
}

function readValues(reader: TokenReader, values: Value[], declared: Declared): void {
  if (!reader.accept("{")) {
    values.push(readValue(reader, declared.type));
    return;
  }
  let depth = 1;
  while (depth > 0) {
    if (reader.accept("{")) depth += 1;
    else if (reader.accept("}")) depth -= 1;
    else if (!reader.accept(",")) values.push(readValue(reader, declared.type));
  }
}

function readValue(reader: TokenReader, type: PtxType): Value {
  const token = reader.peek(reader.peek().text === "-" ? 1 : 0);
  if (token.kind === "float") {
    const { size, bits } = reader.float();
    if (size === 64 && type === types.f32) return { bits: singleBits(bits) };
    return { bits };
  }
  if (token.kind === "word") {
    const isGeneric = reader.accept("generic");
    if (isGeneric) reader.expect("(");
    const symbol = reader.word("a symbol");
    const offset = reader.accept("+") ? reader.count("an offset", maximumBytes) : 0;
    if (isGeneric) reader.expect(")");
    return {
      bits: 0n,
      reference: {
        symbol,
        offset: offset + (reader.accept("+") ? reader.count("an offset", maximumBytes) : 0),
      },
    };
  }
  return { bits: BigInt.asUintN(64, reader.integer("a value")) };
}

/** Rounds the double with these bits to single precision. */
export function singleBits(bits: bigint): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  view.setFloat32(0, view.getFloat64(0));
  return BigInt(view.getUint32(0));
}
