import { type Outcome, fail, succeed } from "../base/outcome";
import type { Choice } from "../base/choice";
import {
  compiledArchitectures,
  defaultGpu,
  gpuNamed,
  gpuNames,
  isKnownArchitecture,
  knownArchitectures,
} from "./gpu-model";

/**
 * What a kernel is judged on. Written `vgpu:sm_80`, `gpu:0`, `ssh:HOST`, `ssh:HOST/sm_90` or
 * `ssh:HOST/gpu:0`.
 */
export type Target =
  /** Compiled by the worker on this machine, run by the virtual GPU. */
  | { readonly kind: "vgpu"; readonly architecture: string }
  /** Compiled by a worker on another machine over the user's own ssh, run by the virtual GPU here. */
  | { readonly kind: "ssh"; readonly host: string; readonly architecture: string }
  /**
   * A GPU of this machine, or of a host over the user's own ssh, by its number in nvidia-smi. The virtual GPU
   * checks first; architecture and model are what the evaluator found the GPU to be (`Evaluator.resolve`),
   * written `gpu:0/H200 SXM`, or `gpu:0/sm_90` where gpu-limits.json lacks the GPU.
   */
  | {
      readonly kind: "gpu";
      readonly index: number;
      readonly architecture: string;
      /** Row of gpu-limits.json. */
      readonly model?: string;
      readonly host?: string;
    };

const hostPattern = /^[A-Za-z0-9_][A-Za-z0-9_.@:\[\]-]*$/;

export const defaultTarget: Target = { kind: "vgpu", architecture: "sm_80" };

/**
 * Reads a target; the problem is a sentence that names what was expected. A host may not begin with a dash:
 * ssh would take it as an option.
 */
export function parseTarget(text: string): Outcome<Target, string> {
  const [kind, rest = ""] = [text.slice(0, text.indexOf(":")), text.slice(text.indexOf(":") + 1)];
  if (text === "vgpu") return succeed(defaultTarget);
  if (kind === "vgpu" && isKnownArchitecture(rest)) return succeed({ kind: "vgpu", architecture: rest });
  const far = kind === "ssh" ? farTarget(rest) : undefined;
  if (far !== undefined) return succeed(far);
  const gpu = gpuTarget(text);
  if (gpu !== undefined) return succeed(gpu);
  const architectures = /sm_\w*$/.test(text)
    ? `; the architectures that can be modelled are ${knownArchitectures().join(", ")}`
    : "";
  return fail(
    `target "${text}" is not known: write vgpu:sm_80, gpu:0, ssh:HOST, ssh:HOST/sm_90 or ssh:HOST/gpu:0${architectures}`,
  );
}

/** The machine that a target's code is compiled on; undefined where it is this one. */
export function hostOf(target: Target): string | undefined {
  return target.kind === "vgpu" ? undefined : target.host;
}

/** What stands after `ssh:`. */
function farTarget(text: string): Target | undefined {
  const [host = "", ...rest] = text.split("/");
  if (!hostPattern.test(host)) return undefined;
  const gpu = gpuTarget(rest.join("/"));
  if (gpu !== undefined) return { ...gpu, host };
  const architecture = rest.length === 0 ? defaultTarget.architecture : rest.join("/");
  return isKnownArchitecture(architecture) ? { kind: "ssh", host, architecture } : undefined;
}

/** `gpu:0`, `gpu:0/sm_90` or `gpu:0/H200 SXM`. */
function gpuTarget(text: string): Extract<Target, { readonly kind: "gpu" }> | undefined {
  const match = /^gpu:(\d{1,3})(?:\/([\w ]+))?$/.exec(text);
  if (match === null) return undefined;
  const [, index, found = defaultTarget.architecture] = match;
  const gpu = { kind: "gpu" as const, index: Number(index) };
  if (gpuNames().includes(found)) return { ...gpu, architecture: architectureOf(found), model: found };
  return isKnownArchitecture(found) ? { ...gpu, architecture: found } : undefined;
}

/** `sm_90` of a row of gpu-limits.json. */
function architectureOf(name: string): string {
  return `sm_${gpuNamed(name).capability.replace(".", "")}`;
}

/** The text that parseTarget reads back. */
export function formatTarget(target: Target): string {
  switch (target.kind) {
    case "vgpu":
      return `vgpu:${target.architecture}`;
    case "gpu":
      if (target.model !== undefined) return `${formatGpu(target)}/${target.model}`;
      // Before the GPU was asked nobody knows its architecture.
      return target.architecture === defaultTarget.architecture
        ? formatGpu(target)
        : `${formatGpu(target)}/${target.architecture}`;
    case "ssh":
      return `ssh:${target.host}/${target.architecture}`;
  }
}

/** The GPU of a target, without its architecture: `gpu:0` or `ssh:HOST/gpu:0`. */
export function formatGpu({ host, index }: Extract<Target, { readonly kind: "gpu" }>): string {
  return host === undefined ? `gpu:${index}` : `ssh:${host}/gpu:${index}`;
}

/** The virtual GPU, once for each architecture that can be compiled and modelled. */
export function virtualTargets(): readonly Choice[] {
  return compiledArchitectures().map((architecture) => {
    const { name } = defaultGpu(architecture);
    return {
      id: formatTarget({ kind: "vgpu", architecture }),
      title: `${name} (${architecture})`,
      description: `Virtual GPU with the limits and the speed of ${name}.`,
    };
  });
}
