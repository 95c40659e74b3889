import cudaDevice from "./cuda-device.json";
import cudaRuntime from "./cuda-runtime.json";
import ptx from "./ptx.json";
import { type ReferenceEntry, referenceShape } from "./entry";
import triton from "./triton.json";

/** A further file of entries is one more line here. */
const files: readonly unknown[] = [triton, cudaDevice, cudaRuntime, ptx];

type Table = ReadonlyMap<string, ReferenceEntry>;

/** By language; read when first asked for: the editor starts without them. */
let tables: ReadonlyMap<string, Table> | undefined;

/** Empty for a language of which nothing is known. */
function tableOf(language: string): Table {
  tables ??= readTables();
  return tables.get(language) ?? new Map();
}

function readTables(): ReadonlyMap<string, Table> {
  const read = files.map((file) => referenceShape.parse(file));
  const of = (wanted: (typeof read)[number]["language"]): Table =>
    new Map(
      read
        .filter(({ language }) => language === wanted)
        .flatMap(({ entries }) => entries.map((entry) => [entry.name, entry] as const)),
    );
  return new Map(read.map(({ language }) => [language, of(language)]));
}

/** The entry of a name as it is written in the tables: `atomicAdd`, `tl.load`, `triton.cdiv`. */
export function referenceOf(language: string, name: string): ReferenceEntry | undefined {
  return tableOf(language).get(name);
}

/** Every entry of a language, in the order of the files. */
export function referenceEntries(language: string): readonly ReferenceEntry[] {
  return [...tableOf(language).values()];
}
