import {
  type Mutation,
  type Workspace,
  kernelText,
  rewriting,
  withEachText,
  withKernelText,
} from "./workspace";

/** Where the kernel's `def` begins and where its signature ends, with the colon. */
interface TritonKernel {
  readonly start: number;
  readonly signatureEnd: number;
  readonly parameters: readonly string[];
}

function isPython(path: string): boolean {
  return path.endsWith(".py");
}

function tritonKernel(text: string, name: string): TritonKernel | undefined {
  const match = new RegExp(`^def ${name}\\(([^)]*)\\)[^:\\n]*:`, "m").exec(text);
  if (!match) return undefined;
  const parameters = (match[1] ?? "").split(",").flatMap((part) => /^\s*(\w+)/.exec(part)?.[1] ?? []);
  return { start: match.index, signatureEnd: match.index + match[0].length, parameters };
}

/** The function that begins at an offset of a line without indentation, with its decorators left out. */
function functionAt(text: string, start: number): string {
  const next = /\n(?=[^\s#)])/g;
  next.lastIndex = start;
  let end = text.length;
  for (let match = next.exec(text); match; match = next.exec(text)) {
    if (text.slice(match.index + 1).startsWith(")")) continue;
    end = match.index + 1;
    break;
  }
  return text.slice(start, end);
}

/** Words of the whole workspace, in code and in strings, as `meta["BLOCK"]` names a parameter too. */
function renamed(workspace: Workspace, names: readonly string[], suffix: string): Workspace | undefined {
  const pattern = new RegExp(`(?<![\\w.])(${names.join("|")})(?!\\w)`, "g");
  return withEachText(workspace, isPython, (text) => text.replaceAll(pattern, `$1${suffix}`));
}

const renamedArguments: Mutation = {
  name: "constexpr parameters renamed",
  apply: (workspace) => {
    const found = tritonKernel(kernelText(workspace), workspace.kernel);
    const capitals = found?.parameters.filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name)) ?? [];
    return capitals.length === 0 ? undefined : renamed(workspace, capitals, "_C");
  },
};

const renamedKernel: Mutation = {
  name: "kernel renamed",
  apply: (workspace) => {
    const kernel = `${workspace.kernel}_v2`;
    const files = renamed(workspace, [workspace.kernel], "_v2");
    return files && { ...files, kernel };
  },
};

const languageAlias = rewriting("the language under another name", (text) =>
  text
    .replace(/^import triton\.language as tl$/m, "import triton.language as L")
    .replace(/^from triton import language as tl$/m, "import triton.language as L")
    .replaceAll(/\btl\./g, "L."),
);

const jitImported = rewriting("jit imported by its name", (text) =>
  text.includes("@triton.jit")
    ? text
        .replaceAll("@triton.jit", "@jit")
        .replace(/^import triton$/m, "import triton\nfrom triton import jit")
    : text,
);

const axisByName = rewriting("axis by its name, or without it", (text) =>
  text.includes("program_id(axis=")
    ? text.replaceAll("program_id(axis=", "program_id(")
    : text.replaceAll("program_id(", "program_id(axis="),
);

const docstring = rewriting("a docstring and comments", (text, kernel) => {
  const found = tritonKernel(text, kernel);
  if (!found || text.slice(found.signatureEnd).trimStart().startsWith('"""')) return text;
  const indent = /\n([ \t]+)/.exec(text.slice(found.signatureEnd))?.[1] ?? "    ";
  const lines = ['"""Does its part: [grid](x) @jit."""', "# def other(x):"];
  const inserted = lines.map((line) => `\n${indent}${line}`).join("");
  return `${text.slice(0, found.signatureEnd)}${inserted}${text.slice(found.signatureEnd)}`;
});

const windowsLines: Mutation = {
  name: "lines as Windows ends them",
  apply: (workspace) => withEachText(workspace, isPython, (text) => text.replaceAll("\n", "\r\n")),
};

const signature = rewriting("one parameter a line", (text, kernel) => {
  const found = tritonKernel(text, kernel);
  if (!found) return text;
  const written = text.slice(found.start, found.signatureEnd);
  return text.replace(written, () => written.replaceAll(/,[ \t]*(?=\w)/g, ",\n    "));
});

/** A wrapper of the module level becomes a static method; its name stays bound for other callers. */
const wrapperInClass = rewriting("the wrapper as a static method", (text, kernel) => {
  const launch = text.search(new RegExp(`\\b${kernel}\\[`));
  const defs = [...text.matchAll(/^def (\w+)\(/gm)].filter(({ index }) => index < launch);
  const wrapper = defs.at(-1);
  if (launch < 0 || !wrapper || text.slice(0, wrapper.index).trimEnd().split("\n").at(-1)?.startsWith("@"))
    return text;
  const whole = functionAt(text, wrapper.index);
  if (!whole.includes(`${kernel}[`) || whole.includes('"""')) return text;
  const body = whole.trimEnd().replaceAll(/^(?=.)/gm, "    ");
  const name = wrapper[1] ?? "";
  const bound = `class Wrappers:\n    @staticmethod\n${body}\n\n\n${name} = Wrappers.${name}\n\n\n`;
  return text.replace(whole, () => bound);
});

const gridVariable = rewriting("the grid in a variable", (text, kernel) =>
  text.replace(
    new RegExp(`^([ \\t]+)${kernel}\\[(\\(.*\\))\\]\\(`, "m"),
    (_whole, indent: string, grid: string) =>
      `${indent}launch_grid = ${grid}\n${indent}${kernel}[launch_grid](`,
  ),
);

const launcherVariable = rewriting("the kernel with its grid in a variable", (text, kernel) =>
  text.replace(
    new RegExp(`^([ \\t]+)(${kernel}\\[.+\\])\\(`, "m"),
    (_whole, indent: string, launch: string) => `${indent}run = ${launch}\n${indent}run(`,
  ),
);

const ownModule: Mutation = {
  name: "all in a module that the file imports",
  apply: (workspace) => {
    const { file } = workspace;
    const text = kernelText(workspace);
    if (text.includes("__main__") || /^from \./m.test(text) || file.includes("/")) return undefined;
    const name = file.replace(/\.py$/, "_impl");
    const imports = [...text.matchAll(/^(?:def|class) (\w+)/gm)].map((match) => match[1] ?? "");
    const names = [...imports, ...[...text.matchAll(/^(\w+) = /gm)].map((match) => match[1] ?? "")];
    const files = new Map([
      ...workspace.files,
      [file, `from ${name} import ${[...new Set(names)].join(", ")}\n`],
      [`${name}.py`, text],
    ]);
    return { ...workspace, files, file: `${name}.py` };
  },
};

const futureImport: Mutation = {
  name: "annotations from the future and typed wrappers",
  apply: (workspace) => {
    const text = kernelText(workspace);
    if (text.includes("__future__") || text.trimStart().startsWith('"""')) return undefined;
    return withKernelText(workspace, `from __future__ import annotations\n\n${text}`);
  },
};

/** All mutations of Triton sources. */
export const tritonMutations: readonly Mutation[] = [
  renamedArguments,
  renamedKernel,
  languageAlias,
  jitImported,
  axisByName,
  docstring,
  windowsLines,
  signature,
  wrapperInClass,
  gridVariable,
  launcherVariable,
  ownModule,
  futureImport,
];
