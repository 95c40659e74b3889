import { closeSync, fstatSync, ftruncateSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";

/** Standard input, output and errors of a program. */
export type Descriptors = readonly [number, number, number];

/** Output on disk beyond this is dropped while the program runs. */
const mostBytes = 8 * 2 ** 20;
const lookEveryMilliseconds = 200;
/** What is given of the output: its end, in characters. */
const keptCharacters = 20_000;

/** Lets a program run without input, and keeps the end of what it writes. */
export async function withKeptOutput<Value>(
  act: (descriptors: Descriptors) => Promise<Value>,
): Promise<{ readonly value: Value; readonly output: string }> {
  const folder = await mkdtemp(join(tmpdir(), "kernelwright-output-"));
  const path = join(folder, "output");
  const [input, output] = [openSync(devNull, "r"), openSync(path, "a")];
  // Opened for appending, so that what comes after a cut stands at the new end.
  const watch = setInterval(() => {
    if (fstatSync(output).size > mostBytes) ftruncateSync(output, 0);
  }, lookEveryMilliseconds);
  try {
    const value = await act([input, output, output]);
    return { value, output: (await readFile(path, "utf8")).slice(-keptCharacters) };
  } finally {
    clearInterval(watch);
    for (const each of [input, output]) closeSync(each);
    await rm(folder, { recursive: true, force: true });
  }
}
