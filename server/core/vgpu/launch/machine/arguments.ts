import type { Parameter } from "../../ptx/module";
import type { KernelArgument } from "./types";

/** Why arguments do not fit a kernel's parameters; undefined when they do. */
export function checkArguments(
  parameters: readonly Parameter[],
  values: readonly KernelArgument[],
): string | undefined {
  if (parameters.length !== values.length)
    return `the kernel has ${parameters.length} parameters, but ${values.length} arguments were given`;
  for (const [index, parameter] of parameters.entries()) {
    const value = values[index];
    if (value?.kind === "bytes" && value.value.length !== parameter.size) {
      return `parameter ${index} (${parameter.name}) has ${parameter.size} bytes, but ${value.value.length} were given`;
    }
    if (value?.kind === "address" && parameter.size !== 8)
      return `parameter ${index} (${parameter.name}) is no pointer: it has ${parameter.size} bytes`;
    if (value?.kind === "float" && parameter.size !== 4 && parameter.size !== 8)
      return `parameter ${index} (${parameter.name}) holds no float: it has ${parameter.size} bytes`;
    if (value?.kind === "integer" && ![1, 2, 4, 8].includes(parameter.size))
      return `parameter ${index} (${parameter.name}) holds no integer: it has ${parameter.size} bytes`;
  }
  return undefined;
}

/** Writes arguments as the kernel reads them; they have been checked. */
export function writeArguments(
  view: DataView,
  at: number,
  parameters: readonly Parameter[],
  values: readonly KernelArgument[],
): void {
  for (const [index, { offset, size }] of parameters.entries()) {
    const value = values[index];
    if (!value) continue;
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
