import type { ArgumentSpec } from "../spec";

/** A name that C++ and Python read as one. */
export const plainName = /^[A-Za-z_]\w*$/;

/** What a parameter is called: as its buffer or its size, else by its position. */
export function argumentName(argument: ArgumentSpec, index: number): string {
  if (typeof argument === "string") return argument;
  const value = "value" in argument ? String(argument.value) : "";
  return plainName.test(value) ? value : `value${index}`;
}

/** The name that two parameters have; undefined where all differ. */
export function doubledName(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}
