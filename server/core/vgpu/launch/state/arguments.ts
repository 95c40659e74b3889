import { invariant } from "../../../base/assert";
import type { Parameter } from "../../ptx/module";
import type { KernelArgument } from "./types";

/** Sizes (bytes) that a parameter of each kind of argument may have, and what a mismatch says it is not. */
const kinds = {
  address: { sizes: [8], wrong: "is no pointer" },
  float: { sizes: [4, 8], wrong: "holds no float" },
  integer: { sizes: [1, 2, 4, 8], wrong: "holds no integer" },
} as const;

/** Why an argument does not fit its parameter; undefined when it does. */
function mismatch(index: number, parameter: Parameter, value: KernelArgument): string | undefined {
  const { name, size } = parameter;
  if (value.kind === "bytes")
    return value.value.length === size
      ? undefined
      : `parameter ${index} (${name}) has ${size} bytes, but ${value.value.length} were given`;
  const { sizes, wrong } = kinds[value.kind];
  return sizes.some((each) => each === size)
    ? undefined
    : `parameter ${index} (${name}) ${wrong}: it has ${size} bytes`;
}

/** Why arguments do not fit a kernel's parameters; undefined when they do. */
export function checkArguments(
  parameters: readonly Parameter[],
  values: readonly KernelArgument[],
): string | undefined {
  if (parameters.length !== values.length)
    return `the kernel has ${parameters.length} parameters, but ${values.length} arguments were given`;
  for (const [index, parameter] of parameters.entries()) {
    const value = values[index];
    invariant(value, "each parameter has an argument");
    const problem = mismatch(index, parameter, value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Writes checked arguments to parameter memory. */
export function writeArguments(
  view: DataView,
  at: number,
  parameters: readonly Parameter[],
  values: readonly KernelArgument[],
): void {
  for (const [index, { offset, size }] of parameters.entries()) {
    const value = values[index];
    invariant(value, "arguments have been checked");
    const place = at + offset;
    if (value.kind === "bytes") new Uint8Array(view.buffer, place, size).set(value.value);
    else if (value.kind === "float") {
      if (size === 4) view.setFloat32(place, value.value, true);
      else view.setFloat64(place, value.value, true);
    } else {
      let bits = BigInt.asUintN(8 * size, BigInt(value.value));
      for (let byte = 0; byte < size; byte += 1, bits >>= 8n)
        view.setUint8(place + byte, Number(bits & 0xffn));
    }
  }
}
