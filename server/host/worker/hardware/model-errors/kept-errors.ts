import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod/mini";
import { readShape } from "../../../../core/base/shape";
import { type ErrorsOfGpu, errorsOf } from "../../../../core/hardware/model-error";

const shape = z.record(z.string(), z.record(z.string(), z.number()));

/** What is kept of one GPU, at most: the newest. */
const mostKept = 500;

/**
 * How far the model was off, on every GPU by its name and for every kernel and shape that it was timed with
 * there, in one file of the user's. It is shown and never used to correct a number.
 */
export class KeptErrors {
  constructor(private readonly file: string) {}

  /** Keeps the newest ratio of a shape, and tells what is kept of its GPU. */
  async add(gpu: string, what: string, ratio: number): Promise<ErrorsOfGpu | undefined> {
    const all = await this.read();
    const { [what]: _, ...others } = all[gpu] ?? {};
    const own = Object.fromEntries([...Object.entries(others), [what, ratio] as const].slice(-mostKept));
    await this.write({ ...all, [gpu]: own });
    return errorsOf(Object.values(own));
  }

  /** A file that is not there, or is none of ours any more, holds nothing. */
  private async read(): Promise<z.infer<typeof shape>> {
    const text = await readFile(this.file, "utf8").catch(() => "{}");
    try {
      const read = readShape(shape, JSON.parse(text));
      return read.ok ? read.value : {};
    } catch (thrown) {
      if (thrown instanceof SyntaxError) return {};
      throw thrown;
    }
  }

  private async write(all: z.infer<typeof shape>): Promise<void> {
    await mkdir(dirname(this.file), { recursive: true });
    const beside = `${this.file}.${process.pid}`;
    await writeFile(beside, JSON.stringify(all, undefined, 1));
    await rename(beside, this.file);
  }
}
