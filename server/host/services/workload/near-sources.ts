import type { FileReader } from "../../../core/ports/files";

/** Sources of a workspace that are looked at. */
const mostSources = 400;
/** Folders between sources that are linked with each other: `test` beside `src`. */
const farthest = 2;

/** Sources of the workspace, the nearest to a file first. */
export async function sourcesByDistance(files: FileReader, file: string): Promise<readonly string[]> {
  const paths = [...(await files.list("", [".cu", ".cpp"]))];
  return paths.sort((a, b) => distance(a, file) - distance(b, file)).slice(0, mostSources);
}

/** Whether two sources are near enough to be linked with each other. */
export function areNear(one: string, other: string): boolean {
  return distance(one, other) <= farthest;
}

/** Folders that have to be left and entered to get from one file to the other. */
export function distance(from: string, to: string): number {
  const [first, second] = [from.split("/").slice(0, -1), to.split("/").slice(0, -1)];
  const apart = first.findIndex((part, index) => part !== second[index]);
  const shared = apart < 0 ? Math.min(first.length, second.length) : apart;
  return first.length + second.length - 2 * shared;
}
