import {
  elementOf,
  isList,
  isStruct,
  readDeviceProtocol,
} from "../../../server/setup/protocols/device-schema.mjs";

/** A field of device-protocol.json. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly condition?: { readonly value: string };
}

/** Values by the names of the fields, as they stand in a case. */
export interface Values {
  readonly [field: string]: unknown;
}

export const protocol = readDeviceProtocol();

export function structFields(type: string): readonly Field[] {
  return protocol.structs[elementOf(type)] ?? [];
}

/** The fields of an operation's reply; empty when it has none or is the rest of the body. */
export function replyFields(name: string): readonly Field[] {
  const reply = protocol.operations.find((operation) => operation.name === name)?.reply ?? [];
  const fields: readonly Field[] = typeof reply === "string" ? structFields(reply) : reply;
  return fields.some(({ type }) => type === "rest") ? [] : fields;
}

/** Values in the order of the fields, structs and lists included: what a function is called with. */
export function positional(fields: readonly Field[], values: Values): readonly unknown[] {
  return fields.map(({ name, type }) => positionalValue(type, values[name]));
}

function positionalValue(type: string, value: unknown): unknown {
  if (isList(type)) return (value as readonly Values[]).map((one) => positional(structFields(type), one));
  return isStruct(type) ? positional(structFields(type), value as Values) : value;
}

/** Everything in the order of the bytes, with the length of each list before it. */
export function flat(fields: readonly Field[], values: Values): readonly unknown[] {
  return fields.flatMap(({ name, type }) => {
    const value = values[name];
    if (isList(type)) {
      const elements = value as readonly Values[];
      return [elements.length, ...elements.flatMap((one) => flat(structFields(type), one))];
    }
    return isStruct(type) ? flat(structFields(type), value as Values) : [value];
  });
}

const quoted = (text: string): string =>
  `"${[...Buffer.from(text, "utf8")].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")}"`;

/** A value as C++ writes it. */
function cppValue(type: string, value: unknown): string {
  if (isList(type))
    return `std::vector<protocol::${elementOf(type)}>{${(value as readonly Values[]).map((one) => cppStruct(type, one)).join(", ")}}`;
  if (isStruct(type)) return `protocol::${type}${cppStruct(type, value as Values)}`;
  if (type === "text") return `std::string(${quoted(String(value))})`;
  if (type !== "data") return `${String(value)}u${type === "u32" || type === "i32" ? "" : "ll"}`;
  const bytes = value as readonly number[];
  return `${quoted(String.fromCharCode(...bytes)).replace(/^"/, '"')}, ${bytes.length}`;
}

function cppStruct(type: string, values: Values): string {
  return `{${structFields(type)
    .map((field) => cppValue(field.type, values[field.name]))
    .join(", ")}}`;
}

/**
 * The arguments of a request's function in C++. What ends the body is sent beside it; an optional struct by
 * pointer.
 */
export function cppArguments(fields: readonly Field[], values: Values): string {
  return fields
    .filter(({ type }) => type !== "rest")
    .map(({ name, type, condition }) =>
      condition === undefined ? cppValue(type, values[name]) : `addressOf(${cppValue(type, values[name])})`,
    )
    .join(", ");
}

/** Statements that print the fields of a reply, one to a line and in the order of their bytes. */
export function cppPrint(fields: readonly Field[], owner: string): string {
  return fields
    .map(({ name, type }) => {
      const value = `${owner}.${name}`;
      if (isList(type))
        return `std::printf("%zu\\n", ${value}.size()); for (const auto &one${name} : ${value}) { ${cppPrint(structFields(type), `one${name}`)} }`;
      if (isStruct(type)) return cppPrint(structFields(type), value);
      if (type === "text") return `std::printf("%s\\n", json(${value}).c_str());`;
      return `std::printf("%lld\\n", static_cast<long long>(${value}));`;
    })
    .join("\n");
}
