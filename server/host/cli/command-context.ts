import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { OperationalError } from "../../core/base/operational-error";
import { defaultTarget, parseTarget, type Target } from "../../core/timing/target";
import type { ProgramRunner } from "../../core/ports/program-runner";
import type { CandidateName, KernelName, Services } from "../services/services";
import { readRoles } from "../../core/trajectory/talk/read-roles";
import { catalogue } from "../services/catalogue";
import type { Terminal } from "./terminal";

/** Settings that a command line may override; everything else comes from the environment. */
export interface ServiceOptions {
  readonly model?: string;
  readonly endpoint?: string;
  readonly modelOptions?: string;
  readonly role?: readonly string[];
  readonly toolServers?: string;
  readonly python?: string;
  readonly gpuPython?: string;
  readonly nvcc?: string;
  /** Patterns of paths that are never read, besides files that may hold keys. */
  readonly exclude?: readonly string[];
  /** Candidates run and compile where they cannot be walled off: only when the user says so by name. */
  readonly withoutWalls?: boolean;
  /** What inputs are drawn from; secret seeds when left out. */
  readonly seed?: number;
  /** What CUDA sources are compiled with, as on nvcc's command line: folders of `-I`, macros of `-D`. */
  readonly include?: readonly string[];
  readonly define?: readonly string[];
  readonly nvccFlag?: readonly string[];
}

export interface CommandContext {
  readonly terminal: Terminal;
  /** Fires on Ctrl-C and on SIGTERM. */
  readonly signal: AbortSignal;
  /** Services for one workspace folder; disposed when the command ends. */
  readonly openServices: (workspaceFolder: string, options: ServiceOptions) => Promise<Services>;
  /** Runs whole programs on the virtual GPU. */
  readonly openPrograms: (options: ServiceOptions) => ProgramRunner;
}

interface NamedKernel {
  readonly workspaceFolder: string;
  readonly name: KernelName;
}

/**
 * Reads FILE or FILE::KERNEL, FILE a kernel's source or its spec. The workspace is the current folder when
 * the file lies below it, else the file's own folder, so that what may be read and edited is what the user
 * can see from where they stand; of a Python file its project, whose modules import each other. A whole disk
 * is no workspace.
 */
export function readKernelName(text: string, currentFolder: string): NamedKernel {
  const [file = "", kernel] = text.split("::");
  const absolute = isAbsolute(file) ? file : resolve(currentFolder, file);
  if (!existsSync(absolute)) {
    const spec = `${file}.kernel.json`;
    const begins = existsSync(`${absolute}.kernel.json`)
      ? ` ${spec} describes it: \`kernelwright optimize ${spec} --strategy refine\` has a model write it.`
      : "";
    throw new OperationalError("file-not-found", {
      forUser: `${file}: there is no such file. Name a kernel's file (.cu, .py), or FILE::KERNEL.${begins}`,
    });
  }
  const inside = relative(currentFolder, absolute);
  const name = (path: string): KernelName => ({
    file: path.split(sep).join("/"),
    ...(kernel ? { kernel } : {}),
  });
  if (
    dirname(currentFolder) !== currentFolder &&
    inside !== "" &&
    !inside.startsWith("..") &&
    !isAbsolute(inside)
  )
    return { workspaceFolder: currentFolder, name: name(inside) };
  const folder = absolute.endsWith(".py") ? pythonProject(absolute) : dirname(absolute);
  return { workspaceFolder: folder, name: name(relative(folder, absolute)) };
}

/** What lies at the top of a Python project. */
const projectMarks = [".git", "pyproject.toml", "setup.py", "setup.cfg"];

/**
 * The nearest folder around a Python file that is the top of a project, else the one that holds its
 * outermost package. A home folder is no project.
 */
function pythonProject(file: string): string {
  const around: string[] = [];
  for (let at = dirname(file); dirname(at) !== at && at !== homedir(); at = dirname(at)) around.push(at);
  const top = around.find((folder) => projectMarks.some((mark) => existsSync(join(folder, mark))));
  return top ?? around.find((folder) => !existsSync(join(folder, "__init__.py"))) ?? dirname(file);
}

/** Reads SESSION or SESSION:CANDIDATE. */
export function readCandidateName(text: string): CandidateName {
  const [sessionId = "", candidate, ...more] = text.split(":");
  if (sessionId === "" || candidate === "" || more.length > 0)
    throw new OperationalError("usage", {
      forUser: `--from ${text}: write SESSION:c3 for a candidate, or SESSION for its best; \`kernelwright sessions\` shows the ids`,
    });
  return candidate === undefined ? { sessionId } : { sessionId, candidate };
}

/** Throws `usage` for a candidate that is named where a session begins with its files. */
export function requireNoCandidate(from: string | undefined): void {
  if (from === undefined) return;
  throw new OperationalError("usage", {
    forUser: "--from goes on from a kernel's candidate; a target with a command begins with its files.",
  });
}

/** Throws `usage` for a role that the strategy does not ask, and for any on a target with a command. */
export function requireRoleUse(
  options: ServiceOptions & { readonly strategy: string },
  isCommand: boolean,
): void {
  const { strategies } = catalogue;
  const asked = strategies.find(({ id }) => id === options.strategy)?.roles ?? [];
  const named = [...readRoles(options.role ?? []).keys()];
  const useless = named.find((role) => isCommand || !asked.includes(role));
  if (useless === undefined) return;
  const able = strategies.filter(({ roles }) => roles.includes(useless)).map(({ id }) => id);
  throw new OperationalError("usage", {
    forUser: isCommand
      ? "--role: roles read counters, and a target with a command has none. Leave --role out."
      : `--role ${useless}: the strategy ${options.strategy} does not ask it. Take --strategy ${able.join(" or ")}.`,
  });
}

/** Throws `usage` for what is said of a model where the strategy asks none. */
export function requireModelUse(options: ServiceOptions & { readonly strategy: string }): void {
  const { strategies } = catalogue;
  if (strategies.find(({ id }) => id === options.strategy)?.needsModel !== false) return;
  const said = {
    ...{ "--model": options.model, "--endpoint": options.endpoint },
    ...{ "--model-options": options.modelOptions, "--tool-servers": options.toolServers },
  };
  const useless = Object.entries(said).find(([, value]) => value !== undefined)?.[0];
  if (useless === undefined) return;
  const able = strategies.filter(({ needsModel }) => needsModel).map(({ id }) => id);
  throw new OperationalError("usage", {
    forUser: `${useless}: the strategy ${options.strategy} asks no model. Take --strategy ${able.join(" or ")} with --model NAME, or leave ${useless} out.`,
  });
}

/** The target of the command line, or the default. */
export function readTarget(text: string | undefined): Target {
  if (text === undefined) return defaultTarget;
  const parsed = parseTarget(text);
  if (!parsed.ok) throw new OperationalError("target-unknown", { forUser: parsed.problem });
  return parsed.value;
}

/** A number of the command line with its bounds. */
export function readNumber(
  flag: string,
  text: string,
  bounds: { readonly least: number; readonly most: number },
): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value < bounds.least || value > bounds.most) {
    throw new OperationalError("usage", {
      forUser: `${flag} ${text}: expected a number from ${bounds.least} to ${bounds.most}`,
    });
  }
  return value;
}

export function workspacePath(workspaceFolder: string, path: string): string {
  return join(workspaceFolder, ...path.split("/"));
}
