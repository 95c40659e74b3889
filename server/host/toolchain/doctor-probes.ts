import { existsSync } from "node:fs";
import { join } from "node:path";
import { t } from "../../core/base/localized";
import { OperationalError } from "../../core/base/operational-error";
import { runProcess } from "../process/run-process";
import { findNvcc } from "./find-nvcc";
import { cacheFolder, type PythonChoice } from "./find-python";
import { type Protection, protectionsOf, wallTitle } from "./protections";

interface ProbeResult {
  readonly state: "found" | "missing" | "unusable";
  readonly detail: string;
  readonly protections?: readonly Protection[];
}

type Probe = (signal: AbortSignal) => Promise<ProbeResult>;

interface ProbeOptions {
  readonly python: PythonChoice;
  readonly nvcc: string;
  /** Names of the walls without which no Python candidate runs. */
  readonly requiredWalls: readonly string[];
  /**
   * Folder with the worker. Programs are asked there: Python would import modules of the folder that the user
   * is in.
   */
  readonly workerFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly model: {
    readonly name: string;
    readonly endpoint: string;
    readonly hasKey: () => Promise<boolean>;
    /** Servers of models that answer on this machine. */
    readonly findLocal: (
      signal: AbortSignal,
    ) => Promise<
      readonly { readonly name: string; readonly endpoint: string; readonly models: readonly string[] }[]
    >;
  };
}

const timeLimitMilliseconds = 20_000;

interface Question {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly folder: string;
  readonly signal: AbortSignal;
  /** What to tell of the answer: its first line when left out. */
  readonly pick?: RegExp;
}

/** First line of what a program says of itself that matches; `missing` when there is no such program. */
async function ask({
  command,
  arguments: args,
  folder,
  signal,
  pick = /\S.*/,
}: Question): Promise<ProbeResult> {
  try {
    const result = await runProcess({ command, arguments: args, folder, timeLimitMilliseconds, signal });
    if (result.kind === "timed-out")
      return {
        state: "unusable",
        detail: `${command} did not answer within ${timeLimitMilliseconds / 1000} s`,
      };
    const found = pick.exec(`${result.output}\n${result.errors}`);
    const ended = result.kind === "exited" && result.code === 0;
    if (!ended || !found)
      return {
        state: "unusable",
        detail: `${command}: ${(result.errors || result.output).trim().split("\n")[0] ?? "no answer"}`,
      };
    return { state: "found", detail: `${found[1] ?? found[0]} (${command})` };
  } catch (thrown) {
    if (thrown instanceof OperationalError && thrown.code === "tool-missing")
      return { state: "missing", detail: `${command} was not found` };
    throw thrown;
  }
}

/** Version of a Python package without importing it: torch takes seconds to import. */
function packageProbe({ python: { python }, workerFolder: folder }: ProbeOptions, name: string): Probe {
  const script = `import importlib.metadata as m; print("${name}", m.version("${name}"))`;
  return async (signal) => {
    const result = await ask({
      command: python,
      arguments: ["-c", script],
      folder,
      signal,
      pick: new RegExp(`^${name} .*`, "m"),
    });
    return result.state === "unusable" ? { state: "missing", detail: `not installed for ${python}` } : result;
  };
}

/** The oldest Triton whose insides the worker knows: 3.4. */
const leastTriton = { major: 3, minor: 4 };

function tritonProbe(options: ProbeOptions): Probe {
  const { major: least, minor: leastMinor } = leastTriton;
  const probe = packageProbe(options, "triton");
  return async (signal) => {
    const found = await probe(signal);
    const version = /^triton (\d+)\.(\d+)/.exec(found.detail);
    if (found.state !== "found" || version === null) return found;
    const [major, minor] = [Number(version[1]), Number(version[2])];
    if (major > least || (major === least && minor >= leastMinor)) return found;
    const detail = `${found.detail} is older than ${least}.${leastMinor}, the oldest that kernels are checked with`;
    return { state: "unusable", detail };
  };
}

/** Builds the walls around a Python that does nothing, and compares them with those that candidates need. */
function wallsProbe({ python: { python }, workerFolder: folder, requiredWalls }: ProbeOptions): Probe {
  return async (signal) => {
    const answer = await ask({
      command: python,
      arguments: ["-I", "-B", folder, "walls"],
      folder,
      signal,
      pick: /^walls:(.*)$/m,
    });
    if (answer.state !== "found") return answer;
    const held = answer.detail.replace(/ \(.*$/, "").split(",");
    const missing = requiredWalls.filter((name) => !held.includes(name));
    const protections = protectionsOf(held);
    const active = protections.filter(({ isActive }) => isActive).length;
    if (missing.length === 0)
      return {
        state: "found",
        detail: t`candidates are walled off: ${active} of ${protections.length} protections are active`,
        protections,
      };
    const lacking = missing.map((name) => `“${wallTitle(name)}”`).join(", ");
    return { state: "missing", detail: t`candidates cannot be walled off without ${lacking}`, protections };
  };
}

/** Servers of models on the usual ports of this machine. */
function localModelsProbe({ model }: ProbeOptions): Probe {
  return async (signal) => {
    const found = await model.findLocal(signal);
    const told = found.map(({ name, endpoint, models }) => `${name} at ${endpoint}: ${models.join(", ")}`);
    return found.length === 0
      ? { state: "missing", detail: "no server of models answers on this machine" }
      : { state: "found", detail: told.join("; ") };
  };
}

/** The model that the settings name. */
function modelProbe({ model }: ProbeOptions): Probe {
  return async () => {
    const { name, endpoint } = model;
    const hasKey = await model.hasKey();
    if (name === "")
      return {
        state: "missing",
        detail: hasKey ? "a key is there, no model is named" : "no model is named",
      };
    return hasKey || endpoint !== ""
      ? { state: "found", detail: `${name}${endpoint === "" ? "" : ` at ${endpoint}`}` }
      : { state: "unusable", detail: `${name} is named, but there is no key` };
  };
}

/** One probe for each word that `doctor-pieces.json` uses. */
export function doctorProbes(options: ProbeOptions): Readonly<Record<string, Probe>> {
  const {
    python: { python, because },
    workerFolder: folder,
    nvcc: setting,
    environment,
  } = options;
  const version =
    (command: string, flag: string, pick?: RegExp): Probe =>
    (signal) =>
      ask({ command, arguments: [flag], folder, signal, pick });
  return {
    nvcc: async (signal) =>
      version(
        await findNvcc({ setting, environment, python, workerFolder: folder, signal }),
        "--version",
        /release [\d.]+, V[\d.]+/,
      )(signal),
    python: async (signal) => {
      const result = await version(python, "--version")(signal);
      return { ...result, detail: `${result.detail}, from ${because}` };
    },
    numpy: packageProbe(options, "numpy"),
    triton: tritonProbe(options),
    walls: wallsProbe(options),
    gpu: (signal) =>
      ask({
        command: "nvidia-smi",
        arguments: ["--query-gpu=name,driver_version,compute_cap", "--format=csv,noheader"],
        folder,
        signal,
      }),
    ncu: version("ncu", "--version", /Version [\d.]+/),
    ssh: version("ssh", "-V"),
    editor: async (signal) => {
      const desktop = await version("code", "--version")(signal);
      if (desktop.state === "found") return desktop;
      const served = existsSync(join(cacheFolder(environment), "editor"));
      return served ? { state: "found", detail: "VS Code in the browser, set up by `npm start`" } : desktop;
    },
    localModels: localModelsProbe(options),
    model: modelProbe(options),
  };
}
