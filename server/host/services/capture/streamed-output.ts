import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import type { Descriptors } from "./kept-output";

/** How often new output is looked for. */
const lookEveryMilliseconds = 100;
/** Read at once; more of it follows in the same look. */
const chunkBytes = 64 * 1024;
/** What was passed on is dropped from the disk beyond this. */
const mostBytes = 8 * 2 ** 20;

/** Lets a program run without input, and passes on what it writes while it writes it. */
export async function withStreamedOutput<Value>(
  write: (text: string) => void,
  act: (descriptors: Descriptors) => Promise<Value>,
): Promise<Value> {
  const folder = await mkdtemp(join(tmpdir(), "kernelwright-output-"));
  const path = join(folder, "output");
  // Opened for appending, so that what comes after a cut stands at the new end.
  const [input, output, reader] = [openSync(devNull, "r"), openSync(path, "a"), openSync(path, "r")];
  const news = new NewText(reader);
  const look = (): void => {
    for (let text = news.next(); text !== undefined; text = news.next()) write(text);
    if (news.position < mostBytes || fstatSync(reader).size > news.position) return;
    ftruncateSync(output, 0);
    news.position = 0;
  };
  const watch = setInterval(look, lookEveryMilliseconds);
  try {
    return await act([input, output, output]);
  } finally {
    clearInterval(watch);
    look();
    for (const each of [input, output, reader]) closeSync(each);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads a growing file on, never through the middle of a character. */
class NewText {
  private readonly decoder = new StringDecoder("utf8");
  private readonly chunk = Buffer.alloc(chunkBytes);
  position = 0;

  constructor(private readonly descriptor: number) {}

  /** What was written since, at most a chunk of it; undefined when there is nothing new. */
  next(): string | undefined {
    const read = readSync(this.descriptor, this.chunk, 0, chunkBytes, this.position);
    if (read === 0) return undefined;
    this.position += read;
    return this.decoder.write(this.chunk.subarray(0, read));
  }
}
