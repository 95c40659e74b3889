import { runArguments } from "../../../core/workload/build/run-arguments";
import type { FileReader } from "../../../core/ports/files";
import { readIfShown } from "../sources/draw-in";

const places = ["Makefile", "makefile", "run", "run.sh"];

/**
 * What a makefile or a script beside a program hands it, where one of them runs it with arguments, and where
 * that stands.
 */
export async function usualArguments(
  files: FileReader,
  program: string,
): Promise<{ readonly words: readonly string[]; readonly where: string } | undefined> {
  const folder = program.slice(0, program.lastIndexOf("/") + 1);
  for (const name of places) {
    const where = `${folder}${name}`;
    const text = await readIfShown(files, where);
    const words = text === undefined ? undefined : runArguments(text, program);
    if (words !== undefined) return { words, where };
  }
  return undefined;
}
