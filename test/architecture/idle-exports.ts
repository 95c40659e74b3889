import { factsOf } from "./source-facts";

/**
 * Exports of the product that no other file uses, be it a test, as `path: name`.
 * @param sources all sources, those of tests among them
 */
export function idleExports(sources: readonly string[]): readonly string[] {
  const used = new Set(sources.flatMap((path) => factsOf(path).taken));
  return sources
    .filter((path) => /^(client|server)\//.test(path))
    .flatMap((path) => {
      const module = path.replace(/(\.d)?\.(tsx?|mjs)$/, "");
      if (used.has(`${module}#*`)) return [];
      return factsOf(path)
        .exported.filter((name) => !used.has(`${module}#${name}`))
        .map((name) => `${path}: ${name}`);
    });
}
