import {
  capital,
  elementOf,
  isList,
  isStruct,
  ownReplies,
  snake,
  structNamed,
  structsIn,
} from "./device-schema.mjs";

/** @typedef {import("./device-schema.mjs").Field} Field */

/** @type {Record<string, string>} */
const packers = { u32: "count", i32: "count", u64: "wide", size: "wide", text: "sized", data: "sized" };
/** @type {Record<string, string>} */
const readers = { u32: "count", i32: "signed", u64: "wide", size: "wide", text: "text" };

/** @type {Record<string, string>} */
const pythonTypes = { u32: "int", i32: "int", u64: "int", size: "int", text: "str", data: "Bytes" };

/**
 * Type of an argument; structures are handed over as their fields in order.
 * @param {Field} field
 */
function argumentType({ type, condition }) {
  if (condition !== undefined) return "tuple | None";
  if (isList(type)) return "Sequence[tuple]";
  return isStruct(type) ? "tuple" : pythonTypes[type];
}

/**
 * Type of a field of what is read.
 * @param {Field} field
 */
function readType({ type }) {
  if (isList(type)) return `list[${elementOf(type)}]`;
  return isStruct(type) ? type : pythonTypes[type];
}

/**
 * @param {string} value
 * @param {Field} field
 */
function packing(value, { type, condition }) {
  if (condition !== undefined) return `b"" if ${value} is None else ${snake(type).slice(1)}(*${value})`;
  if (isList(type)) return `listed([${snake(elementOf(type)).slice(1)}(*one) for one in ${value}])`;
  return isStruct(type) ? `${snake(type).slice(1)}(*${value})` : `${packers[type]}(${value})`;
}

/**
 * @param {string} name
 * @param {Field[]} all
 */
function packer(name, all) {
  const fields = all.filter(({ type }) => type !== "rest");
  const names = fields.map((field) => `${snake(field.name)}: ${argumentType(field)}`);
  const parts = fields.map((field) => packing(snake(field.name), field));
  if (parts.length === 0) return `def ${name}() -> bytes:\n    return b""`;
  return `def ${name}(${names.join(", ")}) -> bytes:\n    return b"".join(\n        [\n${parts.map((part) => `            ${part},`).join("\n")}\n        ]\n    )`;
}

/**
 * @param {string} name
 * @param {Field[]} fields
 */
function tupleOf(name, fields) {
  const values = fields.map(({ type }) => {
    if (isList(type))
      return `[read_${snake(elementOf(type)).slice(1)}(fields) for _ in range(fields.count())]`;
    return isStruct(type) ? `read_${snake(type).slice(1)}(fields)` : `fields.${readers[type]}()`;
  });
  const lines = fields.map((field) => `    ${snake(field.name)}: ${readType(field)}`);
  return [
    `class ${name}(NamedTuple):\n${lines.join("\n")}`,
    `def read_${snake(name).slice(1)}(fields: Fields) -> ${name}:\n    return ${name}(\n${values.map((value) => `        ${value},`).join("\n")}\n    )`,
  ];
}

/**
 * The program's side in Python: it writes requests and reads replies.
 * @param {import("./device-schema.mjs").DeviceProtocol} protocol
 */
export function devicePython(protocol) {
  const { structs, operations, values, version } = protocol;
  const sent = structsIn(
    operations.flatMap(({ request }) => request),
    structs,
  );
  const taken = structsIn(
    operations.flatMap(({ reply }) => (typeof reply === "string" ? [{ name: reply, type: reply }] : reply)),
    structs,
  );
  const numbers = Object.entries(values).flatMap(([group, entries]) =>
    Object.entries(entries).map(
      ([name, value]) =>
        `${snake(group).replace(/s$/, "").toUpperCase()}_${snake(name).toUpperCase()} = ${value}`,
    ),
  );
  return [
    '# Made of device-protocol.json by `npm run protocols`: change it there.\n# fmt: off\n"""The device protocol: numbers, bodies of requests and fields of replies."""',
    "from __future__ import annotations",
    "from collections.abc import Sequence\nfrom typing import NamedTuple",
    "from .wire import Bytes, Fields, count, listed, sized, wide",
    [
      `VERSION = ${version}`,
      ...operations.map(({ name, number }) => `${snake(name).toUpperCase()} = ${number}`),
      ...numbers,
    ].join("\n"),
    ...sent.map((name) => packer(snake(name).slice(1), structNamed(structs, name))),
    ...operations.map(({ name, request }) => packer(`${snake(name)}_request`, request)),
    ...taken.flatMap((name) => tupleOf(name, structNamed(structs, name))),
    ...ownReplies(protocol).flatMap(({ name, fields }) => tupleOf(`${capital(name)}Reply`, fields)),
  ].join("\n\n\n");
}
