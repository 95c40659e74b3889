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
const types = { u32: "uint32_t", i32: "int32_t", u64: "uint64_t", size: "uint64_t", text: "std::string" };
/** @type {Record<string, string>} */
const readers = { u32: "count", i32: "count", u64: "wide", size: "wide", text: "text" };
/** @type {Record<string, string>} */
const writers = { u32: "count", i32: "count", u64: "wide", size: "wide", text: "text" };

/** @param {string} type */
function memberType(type) {
  return isList(type) ? `std::vector<${elementOf(type)}>` : (types[type] ?? type);
}

/**
 * @param {string} name
 * @param {Field[]} fields
 */
function structOf(name, fields) {
  const members = fields.map(
    ({ name: field, type }) =>
      `  ${memberType(type)} ${field}${isList(type) || isStruct(type) || type === "text" ? "" : " = 0"};`,
  );
  return `struct ${name} {\n${members.join("\n")}\n};`;
}

/** @param {Field} field */
function parameter({ name, type, condition }) {
  if (type === "data") return `const void *${name}, size_t ${name}Size`;
  if (condition !== undefined) return `const ${type} *${name}`;
  const member = memberType(type);
  return isStruct(elementOf(type)) || type === "text" ? `const ${member} &${name}` : `${member} ${name}`;
}

/**
 * @param {string} value
 * @param {Field} field
 */
function writing(value, { type, condition }) {
  if (type === "data") return `request.data(${value}, ${value}Size);`;
  if (condition !== undefined) return `if (${value} != nullptr) put(request, *${value});`;
  if (isList(type)) return `putList(request, ${value});`;
  return isStruct(type) ? `put(request, ${value});` : `request.${writers[type]}(${value});`;
}

/**
 * @param {string} name
 * @param {Field[]} fields
 */
function putter(name, fields) {
  const lines = fields.map((field) => `  ${writing(`value.${field.name}`, field)}`);
  return `inline void put(Request &request, const ${name} &value) {\n${lines.join("\n")}\n}`;
}

/** @param {import("./device-schema.mjs").Operation} operation */
function builder({ name, request }) {
  // What goes to the end of the body is sent beside the request, without a copy.
  const fields = request.filter(({ type }) => type !== "rest");
  const lines = fields.map((field) => `  ${writing(field.name, field)}`);
  const head = `inline Request ${name}Request(${fields.map(parameter).join(",\n    ")}) {`;
  return `${head}\n  Request request(Operation::${name});\n${lines.join("\n")}${lines.length > 0 ? "\n" : ""}  return request;\n}`;
}

/**
 * @param {string} name
 * @param {Field[]} fields
 */
function taker(name, fields) {
  const lines = fields.map(({ name: field, type }) => {
    if (isList(type)) return `  takeList(reply, value.${field});`;
    return isStruct(type)
      ? `  take(reply, value.${field});`
      : `  value.${field} = static_cast<${memberType(type)}>(reply.${readers[type]}());`;
  });
  return `inline void take(Reply &reply, ${name} &value) {\n${lines.join("\n")}\n}`.replaceAll(
    /static_cast<std::string>\((.*?)\);/g,
    "$1;",
  );
}

/**
 * @param {string} name
 * @param {Record<string, number>} values
 */
function constants(name, values) {
  return `struct ${name} {\n${Object.entries(values)
    .map(([key, value]) => `  static constexpr uint32_t ${key} = ${value};`)
    .join("\n")}\n};`;
}

/**
 * The program's side: it writes requests and reads replies.
 * @param {import("./device-schema.mjs").DeviceProtocol} protocol
 */
export function deviceCpp(protocol) {
  const { structs, operations, values, version } = protocol;
  const sent = structsIn(
    operations.flatMap(({ request }) => request),
    structs,
  );
  const taken = structsIn(
    operations.flatMap(({ reply }) => (typeof reply === "string" ? [{ name: reply, type: reply }] : reply)),
    structs,
  );
  return [
    "// Made of device-protocol.json by `npm run protocols`: change it there.\n// clang-format off\n#pragma once",
    '#include "device/wire.hpp"',
    "namespace kernelwright::protocol {",
    `constexpr uint32_t version = ${version};`,
    ...Object.entries(values).map(([name, entries]) => constants(capital(name), entries)),
    ...[...new Set([...sent, ...taken])].map((name) => structOf(name, structNamed(structs, name))),
    ...sent.map((name) => putter(name, structNamed(structs, name))),
    "template <typename Element> void putList(Request &request, const std::vector<Element> &values) {\n  request.count(static_cast<uint32_t>(values.size()));\n  for (const Element &value : values) put(request, value);\n}",
    ...operations.map(builder),
    "template <typename Element> void takeList(Reply &reply, std::vector<Element> &values);",
    ...taken.map((name) => taker(name, structNamed(structs, name))),
    "template <typename Element> void takeList(Reply &reply, std::vector<Element> &values) {\n  for (uint32_t left = reply.count(); left > 0 && !reply.ended(); --left) {\n    values.emplace_back();\n    take(reply, values.back());\n  }\n}",
    ...ownReplies(protocol).flatMap(({ name, fields }) => [
      structOf(`${capital(name)}Reply`, fields),
      taker(`${capital(name)}Reply`, fields),
    ]),
    "} // namespace kernelwright::protocol",
  ].join("\n\n");
}

/** @param {import("./device-schema.mjs").DeviceProtocol} protocol */
export function deviceOperationsCpp({ operations, headerBytes }) {
  return [
    "// Made of device-protocol.json by `npm run protocols`: change it there.\n// clang-format off\n#pragma once",
    "#include <cstddef>\n#include <cstdint>",
    "namespace kernelwright {",
    `/** Bytes before the body of a request or a reply. */\nconstexpr size_t kHeaderBytes = ${headerBytes};`,
    `enum class Operation : uint32_t {\n${operations.map(({ name, number }) => `  ${name} = ${number},`).join("\n")}\n};`,
    "} // namespace kernelwright",
  ].join("\n\n");
}
