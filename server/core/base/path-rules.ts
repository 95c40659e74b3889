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

  constructor(patterns: readonly string[]) {
    this.rules = patterns.map((pattern) => ({ pattern, expression: expressionOf(pattern) }));
    this.any = new RegExp(this.rules.map(({ expression }) => `(?:${expression.source})`).join("|"), "su");
  }

  /** True for a path that may not be shown. */
  hides(path: string): boolean {
    return this.hiding(path) !== undefined;
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

function expressionOf(pattern: string): RegExp {
  const trimmed = folding(pattern).replace(/\/+$/, "");
  const anchored = trimmed.includes("/");
  const body = trimmed.replace(/^\/+/, "").replace(/\*\*\/|\*\*|[*?]|[^*?]/g, (token) => {
    if (token === "**/") return "(?:.*/)?";
    if (token === "**") return ".*";
    if (token === "*") return "[^/]*";
    return token === "?" ? "[^/]" : token.replace(/[\\^$.|+()[\]{}]/g, "\\$&");
  });
  return new RegExp(`${anchored ? "^" : "(?:^|/)"}${body}(?:/|$)`, "su");
}

/** What a model may not read, whatever the user excludes besides. */
export const modelRules = new PathRules([...secretPatterns, specPattern]);
