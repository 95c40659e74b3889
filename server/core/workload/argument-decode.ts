import { isJsonObject, type Json, type JsonObject } from "../base/json";
import type { ArgumentSpec, DataType, PointerInBytes } from "./spec";
import { list, object, oneOf, onlyKnown, type Report, size, type SpecPath, string, text } from "./spec-json";

/** Every element type, in the order in which messages name them. */
export const dataTypes: readonly DataType[] = [
  "float64",
  "float32",
  "float16",
  "bfloat16",
  "int64",
  "int32",
  "int16",
  "int8",
  "uint64",
  "uint32",
  "uint16",
  "uint8",
  "bool",
];
/** The arguments of a launch or of an entry. */
export function decodeArguments(
  value: Json | undefined,
  path: SpecPath,
  report: Report,
): readonly ArgumentSpec[] {
  return list(
    value,
    path,
    'an array: names of inputs and outputs, or { "value": SIZE, "dtype": TYPE } for a scalar',
    report,
  ).map((item, index): ArgumentSpec => {
    const at = [...path, index];
    if (typeof item === "string") return item;
    const found = object(
      item,
      at,
      'the name of an input or output, or { "value": SIZE, "dtype": TYPE }',
      report,
    );
    if (found["bytes"] !== undefined) return decodeBytes(found, at, report);
    if (found["buffer"] !== undefined) return decodePointer(found, at, report);
    onlyKnown(found, at, ["value", "dtype"], report);
    const dtype = oneOf(found["dtype"], dataTypes, [...at, "dtype"], report) ?? "int32";
    const number = found["value"];
    if (typeof number === "number" && /^b?float/.test(dtype)) return { value: number, dtype };
    return { value: size(number, [...at, "value"], report), dtype };
  });
}

function decodePointer(found: JsonObject, at: SpecPath, report: Report): ArgumentSpec {
  onlyKnown(found, at, ["buffer", "offset"], report);
  const buffer = string(found["buffer"] ?? "", [...at, "buffer"], "the name of an input or output", report);
  return { buffer, offset: size(found["offset"], [...at, "offset"], report) };
}

function decodeBytes(found: JsonObject, at: SpecPath, report: Report): ArgumentSpec {
  onlyKnown(found, at, ["bytes", "pointers"], report);
  const bytes = text(found["bytes"]) ?? "";
  if (!/^(?:[0-9a-f]{2})+$/.test(bytes))
    report([...at, "bytes"], 'the bytes of a structure as lower-case hex were expected, such as "0000803f"');
  if (found["pointers"] === undefined) return { bytes };
  const path = [...at, "pointers"];
  const pointers = list(found["pointers"], path, "an array of places that hold addresses", report).flatMap(
    (item, index) => decodePlace(item, [...path, index], report),
  );
  return { bytes, pointers };
}

function decodePlace(item: Json, path: SpecPath, report: Report): readonly PointerInBytes[] {
  const isWhole = (value: Json | undefined): value is number =>
    Number.isSafeInteger(value) && Number(value) >= 0;
  if (
    isJsonObject(item) &&
    isWhole(item["at"]) &&
    isWhole(item["offset"]) &&
    typeof item["buffer"] === "string"
  )
    return [{ at: item["at"], buffer: item["buffer"], offset: item["offset"] }];
  report(path, '{ "at": BYTE, "buffer": NAME, "offset": BYTES } was expected');
  return [];
}
