import { findKernels, findLaunchSites, withSource } from "../../../core/language/source-file";
import type { Grammars } from "../../../core/language/tree";
import type { FileReader } from "../../../core/ports/files";
import { drawIn } from "../sources/draw-in";

/** Files that are looked through for a kernel, at most. */
const MOST_FILES = 200;

/**
 * The file whose kernels are meant by one that has none of its own: the only one that it draws in (includes,
 * imports) and that defines a kernel which it launches; else the file itself.
 */
export async function kernelHome(
  files: FileReader,
  grammars: () => Promise<Grammars>,
  file: string,
): Promise<string> {
  const text = await files.read(file);
  if (text === undefined) return file;
  const loaded = await grammars();
  const own = withSource(loaded, file, text, (source) => ({
    hasKernels: findKernels(source).length > 0,
    launched: new Set(findLaunchSites(source).map((site) => site.kernel)),
  }));
  if (own === undefined || own.hasKernels || own.launched.size === 0) return file;
  const drawn = await drawIn(
    files,
    { [file]: text },
    { root: "", includeFolders: [] },
    (tree) => Object.keys(tree).length < MOST_FILES,
  );
  const [home, ...others] = Object.entries(drawn).filter(([path, source]) =>
    withSource(loaded, path, source, (read) => findKernels(read).some(({ name }) => own.launched.has(name))),
  );
  return home === undefined || others.length > 0 ? file : home[0];
}
