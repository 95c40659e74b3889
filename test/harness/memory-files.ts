import { OperationalError } from "../../server/core/base/operational-error";
import type { FileReader, TextSearch } from "../../server/core/ports/files";

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

/** The search over the same files, written as plainly as can be. */
export function memorySearch(files: Readonly<Record<string, string>>): TextSearch {
  return {
    search: async (word, suffixes) => {
      const paths = await memoryFiles(files).list("", suffixes);
      const found = paths.map((path) => ({ path, text: files[path] ?? "" }));
      return found.filter(({ text }) => new RegExp(`(?<![\\w$])${word}(?![\\w$])`).test(text));
    },
  };
}
