import type { CompiledModule } from "../compile/compiled-module";

type Compiled = Extract<CompiledModule, { kind: "compiled" }>;

/**
 * nvcc puts a number that it makes of a source's text into the names of what no other source sees (kernels of
 * unnamed namespaces, static variables).
 */
const localName = /_(?:INTERNAL|GLOBAL__N_)_([0-9a-f]{8})_\d+_/g;

/**
 * Device code whose names are those of a program that was compiled from another text of the same sources; as
 * it is where either has none of these names, or names of several sources.
 */
export function namedAs(program: Uint8Array, device: Compiled): Compiled {
  const [theirs, ...others] = numbersIn(textOf(program));
  const [ours, ...more] = numbersIn(device.ptx);
  if (theirs === undefined || ours === undefined || theirs === ours) return device;
  if (others.length > 0 || more.length > 0) return device;
  const renamed = (text: string): string =>
    text.replace(localName, (name, number: string) => name.replace(`_${number}_`, `_${theirs}_`));
  return {
    ...device,
    ptx: renamed(device.ptx),
    cubin: Buffer.from(renamed(textOf(device.cubin)), "latin1"),
    entries: device.entries.map((entry) => ({ ...entry, symbol: renamed(entry.symbol) })),
  };
}

/** Bytes as characters, one for one. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

function numbersIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(localName)].map(([, number = ""]) => number))];
}
