import { at, known } from "../../base/known";
import { itemBytes } from "../item-bytes";
import type { DataType } from "../spec";
import type { CapturedLaunch } from "./captured";
import type { KernelParameter, ReadArguments } from "./parameters";

/** A launch with its arguments read. */
export interface ReadLaunch {
  readonly launch: CapturedLaunch;
  readonly read: ReadArguments;
}

/** The launches whose arguments have the form that most have: the same buffers in the same places. */
export function ofOneForm(readings: readonly ReadLaunch[]): readonly ReadLaunch[] {
  const forms = new Map<string, ReadLaunch[]>();
  for (const reading of readings) {
    const { launch, read } = reading;
    const key = JSON.stringify([read.arguments, launch.variables.map(({ name }) => name)]);
    forms.set(key, [...(forms.get(key) ?? []), reading]);
  }
  const [most = []] = [...forms.values()].sort((a, b) => threadsOf(b) - threadsOf(a));
  return [...most].sort((a, b) => threadsOf([b]) - threadsOf([a]));
}

function threadsOf(readings: readonly ReadLaunch[]): number {
  return readings.reduce(
    (sum, { launch }) => sum + launch.count * [...launch.grid, ...launch.block].reduce((a, b) => a * b, 1),
    0,
  );
}

/** A buffer or a variable of a launch, by its name in the spec. */
interface Content {
  readonly name: string;
  readonly dtype: DataType | undefined;
  readonly before: Uint8Array;
  readonly after: Uint8Array | undefined;
  readonly untouched: boolean;
  readonly stored: boolean;
}

export function contentsOf({ launch, read }: ReadLaunch): readonly Content[] {
  const buffers = launch.buffers.map((buffer, index) => ({ ...buffer, ...at(read.buffers, index) }));
  const variables = launch.variables.map((variable) => ({ ...variable, dtype: undefined, untouched: false }));
  return [...buffers, ...variables];
}

export function contentOf(reading: ReadLaunch, name: string): Content {
  return known(
    contentsOf(reading).find((each) => each.name === name),
    "a buffer of every launch",
  );
}

/**
 * Whether the content before a launch may matter: something had been written there, or elements stay that the
 * launch does not write.
 */
export function matters({ before, after, untouched }: Content, { dtype }: NamedTensor): boolean {
  if (!untouched || after === undefined) return true;
  const size = itemBytes[dtype];
  for (let element = 0; element + size <= before.byteLength; element += size) {
    const isSame = before.subarray(element, element + size).every((byte, at) => byte === after[element + at]);
    if (isSame) return true;
  }
  return false;
}

/** What launches have changed. */
export function changedNames(launches: readonly ReadLaunch[]): ReadonlySet<string> {
  return namesWhere(launches, ({ after }) => after !== undefined);
}

/** What launches have stored to, whether it changed by that or not. */
export function storedNames(launches: readonly ReadLaunch[]): ReadonlySet<string> {
  return namesWhere(launches, ({ stored }) => stored);
}

function namesWhere(
  launches: readonly ReadLaunch[],
  holds: (content: Content) => boolean,
): ReadonlySet<string> {
  return new Set(
    launches.flatMap((each) =>
      contentsOf(each)
        .filter(holds)
        .map(({ name }) => name),
    ),
  );
}

export function writableNames(
  { read }: ReadLaunch,
  parameters: readonly KernelParameter[],
): ReadonlySet<string> {
  const writable = parameters.filter(({ pointer, readOnly }) => pointer && !readOnly).map(({ name }) => name);
  return new Set(read.buffers.map(({ name }) => name).filter((name) => writable.includes(name)));
}

export interface NamedTensor {
  readonly name: string;
  readonly dtype: DataType;
}

/** A buffer whose bytes are no whole number of elements is one of bytes. */
export function tensorsOf(launches: readonly ReadLaunch[]): readonly NamedTensor[] {
  return contentsOf(at(launches, 0)).map(({ name, dtype }) => {
    const fits = launches.every(
      (each) => contentOf(each, name).before.byteLength % itemBytes[dtype ?? "uint8"] === 0,
    );
    return { name, dtype: dtype !== undefined && fits ? dtype : "uint8" };
  });
}
