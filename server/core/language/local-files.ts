import { normalizePath } from "../base/path-rules";

function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

/**
 * Paths that a source file may draw in from its own workspace, as guesses: quoted includes of CUDA, imports
 * of Python modules beside the file or below `root`. Those that do not exist are for the caller to drop.
 * Plain patterns are enough: a path too many costs one look.
 */
export function localReferences(path: string, text: string, root: string): readonly string[] {
  const folder = folderOf(path);
  const guesses: string[] = [];
  if (path.endsWith(".py")) {
    for (const match of text.matchAll(
      /^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import|import[ \t]+()([\w.]+(?:[ \t]*,[ \t]*[\w.]+)*))/gm,
    )) {
      for (const name of (match[2] ?? match[4] ?? "").split(","))
        guesses.push(...moduleFiles(name.trim(), match[1] ?? "", { folder, root }));
    }
  } else {
    for (const match of text.matchAll(/^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"/gm))
      guesses.push(`${folder}/${match[1] ?? ""}`, `${root}/${match[1] ?? ""}`);
  }
  return [
    ...new Set(guesses.map(normalizePath).filter((guess) => guess !== undefined && guess !== path)),
  ] as string[];
}

function moduleFiles(
  name: string,
  dots: string,
  places: { readonly folder: string; readonly root: string },
): readonly string[] {
  const inner = name.split(".").join("/");
  const up = dots.length > 1 ? "/..".repeat(dots.length - 1) : "";
  const bases = dots === "" ? [places.folder, places.root] : [`${places.folder}${up}`];
  return bases.flatMap((base) => [`${base}/${inner}.py`, `${base}/${inner}/__init__.py`]);
}
