import type { KernelSpec } from "./spec";

/**
 * The function in which a candidate may say how its kernel is launched, where no source launches it and the
 * spec says what was found out.
 */
interface OwnLauncher {
  /** `launch_KERNEL`. */
  readonly name: string;
  /** What it is handed: every name that the spec's launch is made of. */
  readonly parameters: readonly string[];
  /** The call of the entry where a candidate has the function: `FILE.py::launch_KERNEL(x, n)`. */
  readonly call: string;
  /** The function with the launch as it was found out. */
  readonly definition: string;
}

const words = new Set(["triton", "lambda", "if", "else", "and", "or", "not", "True", "False", "None"]);
/** Functions that every Python program knows. */
const known = new Set(["min", "max", "int", "abs"]);

/** The launcher of a bare Triton kernel; undefined where the launch is the user's own, or a function's. */
export function ownLauncherOf({ run, origins }: KernelSpec): OwnLauncher | undefined {
  if (run.kind !== "entry" || origins?.["entry.call"] === undefined) return undefined;
  const [, file, kernel, launch] = /^(.+\.py)::(\w+)(\[.+\]\(.*\))$/s.exec(run.entry.call) ?? [];
  if (file === undefined || kernel === undefined || launch === undefined) return undefined;
  const plain = launch.replace(/'[^']*'|"[^"]*"/g, "''");
  const bound = [...plain.matchAll(/\blambda\s+(\w+)/g)].map(([, name]) => name);
  const found = [...plain.matchAll(/(?<![\w.])([A-Za-z_]\w*)(?!\w|\s*=(?!=))/g)].flatMap(([, name]) =>
    name === undefined || words.has(name) || known.has(name) || bound.includes(name) ? [] : [name],
  );
  const parameters = [...new Set(found)];
  const name = `launch_${kernel}`;
  const head = `${name}(${parameters.join(", ")})`;
  const definition = `def ${head}:\n    ${kernel}${launch}\n`;
  return { name, parameters, call: `${file}::${head}`, definition };
}

/** Whether a source says itself how its kernel is launched, by a function that can be called so. */
export function hasLauncher(source: string | undefined, { definition }: OwnLauncher): boolean {
  const [head = ""] = definition.split("\n");
  return source !== undefined && source.split("\n").includes(head);
}
