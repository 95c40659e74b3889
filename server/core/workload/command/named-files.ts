import { normalizePath } from "../../base/path-rules";

/** Files that may change, named from the top of the workspace. */
interface NamedFiles {
  readonly files: readonly string[];
  /** Of paths: files that match may change, and new ones may be made there. */
  readonly patterns: readonly string[];
}

/** Parts what a spec or the user names, relative to `folder`, into paths and patterns of paths. */
export function namedFiles(names: readonly string[], folder = ""): NamedFiles {
  const paths = names.flatMap((name) => normalizePath(`${folder}/${name}`) ?? []);
  return {
    files: paths.filter((path) => !isPattern(path)),
    // Without a slash it would be about names in any folder.
    patterns: paths.filter(isPattern).map((path) => (path.includes("/") ? path : `/${path}`)),
  };
}

function isPattern(path: string): boolean {
  return /[*?]/.test(path);
}
