import { elementOf, isList, isStruct } from "./device-schema.mjs";

/** @typedef {import("./device-schema.mjs").Field} Field */

/** @type {Record<string, string>} */
const typeTexts = {
  u32: "u32",
  i32: "i32",
  u64: "u64",
  size: "u64",
  text: "string",
  data: "u32 bytes, bytes",
  rest: "bytes to the end",
};

/** @param {Field} field */
function fieldText({ name, type, condition }) {
  const when = condition === undefined ? "" : ` (${condition.value} only)`;
  if (isList(type)) return `${name}: u32 count, count × ${elementOf(type)}`;
  return `${name}: ${isStruct(type) ? type : typeTexts[type]}${when}`;
}

/** @param {Field[] | string} fields */
function fieldsText(fields) {
  return typeof fields === "string" ? fields : fields.map(fieldText).join(", ");
}

/** @param {Record<string, number>} values */
function valuesText(values) {
  return Object.entries(values)
    .map(([name, value]) => `${value} ${name}`)
    .join(", ");
}

/**
 * The tables of the page: operations, structs, values and statuses.
 * @param {import("./device-schema.mjs").DeviceProtocol} protocol
 */
export function devicePage({ operations, structs, values, statuses }) {
  return [
    "| number | operation | body | reply's body | |\n| --- | --- | --- | --- | --- |\n" +
      operations
        .map(
          ({ number, name, request, reply, says }) =>
            `| ${number} | ${name} | ${fieldsText(request)} | ${fieldsText(reply)} | ${says} |`,
        )
        .join("\n"),
    `| struct | fields |\n| --- | --- |\n${Object.entries(structs)
      .map(([name, fields]) => `| ${name} | ${fieldsText(fields)} |`)
      .join("\n")}`,
    `| values | |\n| --- | --- |\n${Object.entries(values)
      .map(([name, entries]) => `| \`${name}\` | ${valuesText(entries)} |`)
      .join("\n")}`,
    `Statuses that the device answers with: ${valuesText(statuses)}.`,
  ].join("\n\n");
}
