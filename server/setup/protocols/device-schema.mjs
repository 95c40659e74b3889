import { readFileSync } from "node:fs";
import { inRepository } from "../support/layout.mjs";

/**
 * The types of fields: u32, i32, u64 (little endian), `size` (a u64 that counts bytes), `text` (u32 bytes of
 * UTF-8, then they), `data` (u32 bytes, then they), `rest` (all bytes up to the end of the body), the name of
 * a struct, and `Struct[]` (u32 count, then so many). A condition `{ kind: "texture" }` says when a field is
 * there.
 * @typedef {{ name: string, type: string, condition?: { field: string, values: string, value: string } }} Field
 * @typedef {{ number: number, name: string, request: Field[], reply: Field[] | string, says: string }} Operation
 * @typedef {{
 *   version: number, headerBytes: number, statuses: Record<string, number>,
 *   values: Record<string, Record<string, number>>, structs: Record<string, Field[]>, operations: Operation[],
 * }} DeviceProtocol
 */

/** @returns {DeviceProtocol} */
export function readDeviceProtocol() {
  const raw = JSON.parse(
    readFileSync(inRepository("server", "host", "program", "device-protocol.json"), "utf8"),
  );
  return {
    ...raw,
    structs: Object.fromEntries(
      Object.entries(raw.structs).map(([name, fields]) => [name, fields.map(fieldOf)]),
    ),
    operations: raw.operations.map((/** @type {any} */ operation) => ({
      ...operation,
      request: operation.request.map(fieldOf),
      reply: typeof operation.reply === "string" ? operation.reply : operation.reply.map(fieldOf),
    })),
  };
}

/**
 * @param {[string, string, Record<string, string>?]} entry
 * @returns {Field}
 */
function fieldOf([name, type, condition]) {
  if (condition === undefined) return { name, type };
  const [[field, value]] = /** @type {[[string, string]]} */ (Object.entries(condition));
  return { name, type, condition: { field, values: `${field === "kind" ? "image" : field}Kinds`, value } };
}

/** @param {string} type */
export const isList = (type) => type.endsWith("[]");
/** @param {string} type */
export const elementOf = (type) => type.replace("[]", "");
/** @param {string} type */
export const isStruct = (type) => /^[A-Z]/.test(type);
/** @param {string} name */
export const capital = (name) => name.charAt(0).toUpperCase() + name.slice(1);
/** @param {string} name `dynamicSharedBytes` as `dynamic_shared_bytes` */
export const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * The fields of a struct that others name.
 * @param {Record<string, Field[]>} structs
 * @param {string} name
 * @returns {Field[]}
 */
export function structNamed(structs, name) {
  const fields = structs[name];
  if (fields === undefined) throw new Error(`device-protocol.json: no struct is called ${name}`);
  return fields;
}

/**
 * Names of the structs in fields, those inside of others first.
 * @param {Field[]} fields
 * @param {Record<string, Field[]>} structs
 * @returns {string[]}
 */
export function structsIn(fields, structs) {
  const names = fields.flatMap(({ type }) => {
    const name = elementOf(type);
    return isStruct(name) ? [...structsIn(structNamed(structs, name), structs), name] : [];
  });
  return [...new Set(names)];
}

/**
 * The operations whose reply has fields of its own: neither none, nor the rest of the body, nor a struct.
 * @param {DeviceProtocol} protocol
 */
export function ownReplies({ operations }) {
  return operations.flatMap(({ name, reply }) =>
    typeof reply === "string" || reply.length === 0 || reply[0]?.type === "rest"
      ? []
      : [{ name, fields: reply }],
  );
}
