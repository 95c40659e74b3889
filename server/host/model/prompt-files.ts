import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Reads every `NAME.md` of a folder (`dist/prompts`, or the source folder in tests): name → text, line ends
 * made `\n`.
 */
export async function readPromptFiles(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".md")).sort();
  const texts = await Promise.all(
    names.map(
      async (name) =>
        [
          name.slice(0, -".md".length),
          (await readFile(join(folder, name), "utf8")).replaceAll("\r\n", "\n"),
        ] as const,
    ),
  );
  return Object.fromEntries(texts);
}
