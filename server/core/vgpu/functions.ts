import { addressWindows } from "./layout";
import type { Parameter, PtxFunction, PtxModule } from "./ptx/module";

/** Bytes between the addresses of two functions. */
export const functionStride = 16;

const known = new WeakMap<PtxModule, ReadonlyMap<string, number>>();

/** Numbers of a module's functions from 1, by which their addresses count. */
export function functionNumbers(module: PtxModule): ReadonlyMap<string, number> {
  const numbers = known.get(module) ?? numberFunctions(module);
  known.set(module, numbers);
  return numbers;
}

/** Other names of a function have its number, and so its address. */
function numberFunctions({ functions }: PtxModule): ReadonlyMap<string, number> {
  const own = new Map([...functions.keys()].map((name, index) => [name, index + 1]));
  return new Map([...functions].map(([name, { name: real }]) => [name, own.get(real) ?? 0]));
}

/** The name that a function was defined by, for any name that it has (PTX ISA section 11.2, ".alias"). */
export function definedName(module: PtxModule, name: string): string {
  return module.functions.get(name)?.name ?? name;
}

/**
 * Device address of a function: a window of its own, in which no data lies. The same in all kernels of a
 * module, because tables of function pointers outlive a launch. Undefined for a name that is no function.
 */
export function functionAddress(module: PtxModule, name: string): bigint | undefined {
  const number = functionNumbers(module).get(name);
  return number === undefined ? undefined : addressWindows.function + BigInt(functionStride * number);
}

/** Bytes of the block that a kernel's parameters lie in. */
export function parameterBytesOf({ parameters }: Pick<PtxFunction, "parameters">): number {
  return parameters.reduce((end, { offset, size }) => Math.max(end, offset + size), 0);
}

/** 32-bit words that a parameter takes when it is passed to a function. */
export function wordsOf({ size }: Pick<Parameter, "size">): number {
  return Math.ceil(size / 4);
}

/**
 * What has to agree between a call through a register and the function that it reaches: the words of each
 * parameter and result.
 */
export function signatureOf({
  parameters,
  results,
}: {
  readonly parameters: readonly Parameter[];
  readonly results: readonly Parameter[];
}): string {
  return `${parameters.map(wordsOf).join(",")}>${results.map(wordsOf).join(",")}`;
}
