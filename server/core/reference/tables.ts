import cudaDevice from "./cuda-device.json";
import cudaRuntime from "./cuda-runtime.json";
import { type ReferenceEntry, type ReferenceLanguage, referenceShape } from "./entry";
import triton from "./triton.json";

/** A further file of entries is one more line here. */
const files: readonly unknown[] = [triton, cudaDevice, cudaRuntime];

type Table = ReadonlyMap<string, ReferenceEntry>;

/** Read when first asked for: the editor starts without them. */
let tables: Readonly<Record<ReferenceLanguage, Table>> | undefined;

function tableOf(language: ReferenceLanguage): Table {
  tables ??= readTables();
  return tables[language];
}

function readTables(): Readonly<Record<ReferenceLanguage, Table>> {
  const read = files.map((file) => referenceShape.parse(file));
  const of = (language: ReferenceLanguage): Table =>
    new Map(
      read
        .filter((file) => file.language === language)
        .flatMap(({ entries }) => entries.map((entry) => [entry.name, entry] as const)),
    );
  return { cuda: of("cuda"), triton: of("triton") };
}

/** The entry of a name as it is written in the tables: `atomicAdd`, `tl.load`, `triton.cdiv`. */
export function referenceOf(language: ReferenceLanguage, name: string): ReferenceEntry | undefined {
  return tableOf(language).get(name);
}

/** Every entry of a language, in the order of the files. */
export function referenceEntries(language: ReferenceLanguage): readonly ReferenceEntry[] {
  return [...tableOf(language).values()];
}
