import { OperationalError } from "../../server/core/base/operational-error";
import type { FileReader } from "../../server/core/ports/files";

/** A repository in memory. */
export function memoryFiles(files: Readonly<Record<string, string>>): FileReader {
  return {
    read: (path) =>
      path.startsWith("/") || path.split("/").includes("..")
        ? Promise.reject(
            new OperationalError("path-outside-workspace", {
              forUser: `${path} is outside of the workspace`,
            }),
          )
        : Promise.resolve(files[path]),
    list: (folder, suffixes) =>
      Promise.resolve(
        Object.keys(files)
          .filter(
            (path) =>
              (folder === "" || path.startsWith(`${folder}/`)) &&
              suffixes.some((suffix) => path.endsWith(suffix)),
          )
          .sort(),
      ),
  };
}
