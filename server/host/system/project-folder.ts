import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/**
 * The project that a folder is a part of: the repository around it, else the outermost of an unbroken row of
 * folders that CMake builds. Undefined where there is none, or the folder is the whole of it. A home folder
 * is no project, whatever is kept in it.
 */
export function projectAround(folder: string): string | undefined {
  const around = foldersAround(folder);
  const repository = around.find((each) => existsSync(join(each, ".git")));
  const unbuilt = around.findIndex((each) => !existsSync(join(each, "CMakeLists.txt")));
  const built = around.slice(0, unbuilt < 0 ? around.length : unbuilt).at(-1);
  const project = repository ?? built;
  return project === folder ? undefined : project;
}

/** The folder and those around it, the nearest first. */
function foldersAround(folder: string): readonly string[] {
  const around: string[] = [];
  for (let each = folder; dirname(each) !== each && each !== homedir(); each = dirname(each))
    around.push(each);
  return around;
}
