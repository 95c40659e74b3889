import secretFiles from "./secret-files.json";

/**
 * A path below a workspace as all rules on paths see it: POSIX, without `.`, `..`, empty parts and a slash at
 * the end. Undefined when it leaves the top. Every rule is asked about this form, and again about the path
 * that is left when links have been resolved.
 */
export function normalizePath(path: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** Keys, passwords, tokens and the insides of repositories: shown to nobody. */
export const secretPatterns: readonly string[] = secretFiles.patterns;

/** Spec files name the held-out shapes: they are the product's, and no model reads them. */
export const specPattern = "*.kernel.json";

/** What hides a path that leaves the top. */
export const outside = "..";

/**
 * Patterns of paths that are not shown. `*` stands for any letters but `/`, `**` for any letters, `?` for one
 * letter. A pattern without `/` is for a file or folder of that name wherever it lies, any other begins at
 * the top of the workspace; what hides a folder hides all that lies in it. Case makes no difference.
 */
export class PathRules {
  private readonly rules: readonly { readonly pattern: string; readonly expression: RegExp }[];
  /** Matches what any of the rules matches: one look is enough for nearly all paths. */
  private readonly any: RegExp;
  /** The rules about names alone. */
  private readonly names: readonly string[];
  /** By the last letter of a name: matches what any of the rules about names matches that can end so. */
  private readonly namesByEnd = new Map<string, RegExp>();
  /** Matches what any of the rules about whole paths matches; undefined without such rules. */
  private readonly paths: RegExp | undefined;

  constructor(patterns: readonly string[]) {
    this.rules = patterns.map((pattern) => ({ pattern, expression: expressionOf(pattern) }));
    this.any = anyOf(this.rules.map(({ expression }) => `(?:${expression.source})`));
    const ofPaths = patterns.filter(isOfPath);
    this.names = patterns.filter((pattern) => !isOfPath(pattern));
    this.paths = ofPaths.length === 0 ? undefined : anyOf(ofPaths.map((each) => expressionOf(each).source));
  }

  /** True for a path that may not be shown. */
  hides(path: string): boolean {
    return this.hiding(path) !== undefined;
  }

  /**
   * `hides` for an entry of a folder that may itself be shown, in a part of the time: a listing asks it of
   * each.
   */
  hidesEntry(folder: string, name: string): boolean {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (name.includes("\\") || folder.includes("\\")) return this.hides(path);
    const folded = folding(name);
    return this.namesLike(folded).test(folded) || this.paths?.test(folding(path)) === true;
  }

  /** A few of the rules are asked about each name in place of all: nearly all end in a certain letter. */
  private namesLike(folded: string): RegExp {
    const end = folded.slice(-1);
    const known = this.namesByEnd.get(end);
    if (known !== undefined) return known;
    const fitting = this.names.filter((pattern) => ["*", "?", end].includes(trimmed(pattern).slice(-1)));
    const made = anyOf(fitting.map((each) => `^${bodyOf(each)}$`));
    this.namesByEnd.set(end, made);
    return made;
  }

  /** The pattern that hides a path, or `outside`; undefined when it may be shown. */
  hiding(path: string): string | undefined {
    const normal = normalizePath(path.replaceAll("\\", "/"));
    if (normal === undefined) return outside;
    const folded = folding(normal);
    if (this.rules.length === 0 || !this.any.test(folded)) return undefined;
    return this.rules.find(({ expression }) => expression.test(folded))?.pattern;
  }
}

function folding(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** Without sources it matches nothing. */
function anyOf(sources: readonly string[]): RegExp {
  return new RegExp(sources.length === 0 ? "(?!)" : sources.join("|"), "su");
}

/** Whether a pattern is about more than the name of one file or folder. */
function isOfPath(pattern: string): boolean {
  return trimmed(pattern).includes("/") || pattern.includes("**");
}

function trimmed(pattern: string): string {
  return folding(pattern).replace(/\/+$/, "");
}

function bodyOf(pattern: string): string {
  return trimmed(pattern)
    .replace(/^\/+/, "")
    .replace(/\*\*\/|\*\*|[*?]|[^*?]/g, (token) => {
      if (token === "**/") return "(?:.*/)?";
      if (token === "**") return ".*";
      if (token === "*") return "[^/]*";
      return token === "?" ? "[^/]" : token.replace(/[\\^$.|+()[\]{}]/g, "\\$&");
    });
}

function expressionOf(pattern: string): RegExp {
  const isAnchored = trimmed(pattern).includes("/");
  return new RegExp(`${isAnchored ? "^" : "(?:^|/)"}${bodyOf(pattern)}(?:/|$)`, "su");
}

/** What a model may not read, whatever the user excludes besides. */
export const modelRules = new PathRules([...secretPatterns, specPattern]);
