import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

export interface PythonChoice {
  /** Path or program name. */
  readonly python: string;
  /** Why this one: shown by the doctor. */
  readonly because: "setting" | "environment" | "own environment" | "PATH";
}

/** What set-up writes last into a folder of its cache: a folder without it is a build that was cut short. */
const completeStamp = ".complete";

/**
 * Where the set-up puts its own Python environments. A relative XDG_CACHE_HOME means nothing (XDG
 * specification).
 */
export function cacheFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const base = environment["XDG_CACHE_HOME"];
  return join(base !== undefined && isAbsolute(base) ? base : join(homedir(), ".cache"), "kernelwright");
}

/**
 * The Python that runs the worker: the setting, then KERNELWRIGHT_PYTHON, then the environment that the
 * set-up has made (the newest complete one), then `python3` on PATH. Whether it has numpy or Triton is for
 * the worker to say.
 */
export function findPython(
  setting: string,
  environment: Readonly<Record<string, string | undefined>>,
): PythonChoice {
  if (setting !== "") return { python: setting, because: "setting" };
  const named = environment["KERNELWRIGHT_PYTHON"];
  if (named !== undefined && named !== "") return { python: named, because: "environment" };
  const cache = cacheFolder(environment);
  const made = existsSync(cache)
    ? readdirSync(cache)
        .filter((name) => /^python-[0-9a-f]+$/.test(name))
        .sort()
        .reverse()
    : [];
  for (const name of made) {
    const python = join(cache, name, "bin", "python");
    if (existsSync(join(cache, name, completeStamp)) && existsSync(python))
      return { python, because: "own environment" };
  }
  return { python: "python3", because: "PATH" };
}

/**
 * The Python that calls Triton kernels on a GPU: the setting, then KERNELWRIGHT_GPU_PYTHON (`named`); when
 * neither names one, what is looked at first (`usual`): that of the environment active in the terminal.
 */
export function gpuPythonChoice(
  setting: string,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly named: readonly string[]; readonly usual: readonly string[] } {
  const named = [setting, environment["KERNELWRIGHT_GPU_PYTHON"] ?? ""].find((each) => each !== "");
  if (named !== undefined) return { named: [named], usual: [] };
  const active = ["VIRTUAL_ENV", "CONDA_PREFIX"].flatMap((name) => environment[name] ?? []);
  return { named: [], usual: active.map((folder) => join(folder, "bin", "python")) };
}
