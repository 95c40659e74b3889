import {
  capital,
  elementOf,
  isList,
  isStruct,
  ownReplies,
  structNamed,
  structsIn,
} from "./device-schema.mjs";

/** @typedef {import("./device-schema.mjs").Field} Field */

/** @type {Record<string, string>} */
const types = {
  u32: "number",
  i32: "number",
  u64: "bigint",
  size: "number",
  text: "string",
  data: "Uint8Array",
  rest: "Uint8Array",
};
/** @type {Record<string, string>} */
const readers = {
  u32: "count",
  i32: "signed",
  u64: "wide",
  size: "size",
  text: "text",
  data: "sized",
  rest: "rest",
};
/** @type {Record<string, string>} */
const writers = { u32: "count", i32: "count", u64: "wide", size: "wide", text: "text" };

/** @param {string} type */
function typeOf(type) {
  if (isList(type)) return `readonly ${elementOf(type)}[]`;
  return types[type] ?? type;
}

/**
 * @param {string} name
 * @param {Field[]} fields
 */
function interfaceOf(name, fields) {
  const lines = fields.map(
    (field) => `  readonly ${field.name}${field.condition ? "?" : ""}: ${typeOf(field.type)};`,
  );
  return `export interface ${name} {\n${lines.join("\n")}\n}`;
}

/** @param {string} type */
function reading(type) {
  if (isList(type)) return `readList(reader, read${elementOf(type)})`;
  return isStruct(type) ? `read${type}(reader)` : `reader.${readers[type]}()`;
}

/**
 * @param {string} name
 * @param {Field[]} fields
 */
function readerOf(name, fields) {
  const lines = fields.map(({ name: field, type, condition }) => {
    const value = reading(type);
    if (condition === undefined) return `  const ${field} = ${value};`;
    return `  const ${field} =\n    ${condition.field} === ${condition.values}.${condition.value} ? ${value} : undefined;`;
  });
  return [
    `export function read${name}(reader: WireReader): ${name} {`,
    ...lines,
    `  return { ${fields.map((field) => field.name).join(", ")} };`,
    "}",
  ].join("\n");
}

/**
 * @param {string} name
 * @param {Field[]} fields
 */
function writerOf(name, fields) {
  const lines = fields.map(({ name: field, type }) => {
    if (isList(type)) return `  writeList(writer, value.${field}, write${elementOf(type)});`;
    return isStruct(type)
      ? `  write${type}(writer, value.${field});`
      : `  writer.${writers[type]}(value.${field});`;
  });
  return [`export function write${name}(writer: WireWriter, value: ${name}): void {`, ...lines, "}"].join(
    "\n",
  );
}

/**
 * @param {string} name
 * @param {Record<string, number>} values
 */
function constants(name, values) {
  return `export const ${name} = {\n${Object.entries(values)
    .map(([key, value]) => `  ${key}: ${value},`)
    .join("\n")}\n} as const;`;
}

/**
 * The device's side: it reads requests and writes replies.
 * @param {import("./device-schema.mjs").DeviceProtocol} protocol
 */
export function deviceTypescript(protocol) {
  const { structs, operations, values, statuses, version, headerBytes } = protocol;
  const requests = operations.filter(({ request }) => request.length > 0);
  const replies = ownReplies(protocol);
  const read = structsIn(
    requests.flatMap(({ request }) => request),
    structs,
  );
  const written = structsIn(
    [...replies.flatMap(({ fields }) => fields), ...structReplies(operations)],
    structs,
  );
  return [
    "// Made of device-protocol.json by `npm run protocols`: change it there.",
    'import type { WireReader, WireWriter } from "./wire";',
    `export const protocolVersion = ${version};\n/** Bytes before the body of a request or a reply. */\nexport const headerBytes = ${headerBytes};`,
    `/** Numbers of the operations. */\n${constants("operations", Object.fromEntries(operations.map(({ name, number }) => [name, number])))}`,
    "export type OperationName = keyof typeof operations;",
    `/** Numbers of \`cudaError_t\` that the device answers with. */\n${constants("statuses", statuses)}`,
    ...Object.entries(values).map(([name, entries]) => constants(name, entries)),
    "function readList<Element>(reader: WireReader, read: (reader: WireReader) => Element): readonly Element[] {\n  return Array.from({ length: reader.listLength() }, () => read(reader));\n}",
    "function writeList<Element>(\n  writer: WireWriter,\n  values: readonly Element[],\n  write: (writer: WireWriter, value: Element) => void,\n): void {\n  writer.count(values.length);\n  for (const value of values) write(writer, value);\n}",
    ...[...new Set([...read, ...written])].map((name) => interfaceOf(name, structNamed(structs, name))),
    ...read.map((name) => readerOf(name, structNamed(structs, name))),
    ...written.map((name) => writerOf(name, structNamed(structs, name))),
    ...requests.flatMap(({ name, request }) => [
      interfaceOf(`${capital(name)}Request`, request),
      readerOf(`${capital(name)}Request`, request),
    ]),
    ...replies.flatMap(({ name, fields }) => [
      interfaceOf(`${capital(name)}Reply`, fields),
      writerOf(`${capital(name)}Reply`, fields),
    ]),
  ].join("\n\n");
}

/** @param {import("./device-schema.mjs").Operation[]} operations */
function structReplies(operations) {
  const names = operations.flatMap(({ reply }) => (typeof reply === "string" ? [reply] : []));
  return [...new Set(names)].map((type) => ({ name: type, type }));
}
