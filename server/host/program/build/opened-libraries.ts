import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openedRooms } from "./gpu-libraries";
import { systemFile } from "./program-cache";

/** Sources of what hands a program its own functions when it opens a library by name. */
const openingRoom = "opened";
/** The functions of our libraries, in the form of a linker's list. */
const exported = "{ cu*; nvrtc*; };\n";

interface OpenedLibraries {
  /** The rooms that the words link. */
  readonly rooms: readonly string[];
  /** For the compiler when it links. */
  readonly words: readonly string[];
}

/**
 * What a program is linked with that opens NVIDIA's libraries by name while it runs (`dlopen`): it holds ours
 * with all their functions, and exports them. `files`: what its sources include, as the compiler lists them.
 * `output`: the folder that the program is built in.
 */
export async function openedLibraries(
  files: readonly string[],
  { output, libraryOf }: { readonly output: string; readonly libraryOf: (room: string) => Promise<string> },
): Promise<OpenedLibraries> {
  const own = files.filter((file) => !systemFile.test(file));
  const texts = await Promise.all(own.map((file) => readFile(file, "utf8").catch(() => "")));
  const rooms = openedRooms(texts);
  if (rooms.length === 0) return { rooms, words: [] };
  const list = join(output, "exported.txt");
  await writeFile(list, exported);
  const archives = await Promise.all([...rooms, openingRoom].map(libraryOf));
  const linked = ["--whole-archive", ...archives, "--no-whole-archive", `--dynamic-list=${list}`];
  return { rooms, words: linked.flatMap((word) => ["-Xlinker", word]) };
}
