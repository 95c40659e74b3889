import { ownLauncherOf } from "../../../workload/own-launcher";
import { isLaunchOfOurs, type KernelSpec } from "../../../workload/spec";

/** What may change beyond what the system prompt says of every launch; empty where that is all. */
export function freedomText(spec: KernelSpec): string {
  if (spec.program !== undefined) return programText(spec.program);
  const launcher = ownLauncherOf(spec);
  if (launcher !== undefined) return tritonText(launcher.definition);
  return spec.dialect === "cuda" && isLaunchOfOurs(spec) ? cudaText(spec.kernel.split("::").at(-1)) : "";
}

function programText({ file, arguments: passed }: NonNullable<KernelSpec["program"]>): string {
  return [
    `The launch was recorded from a program: \`${[file, ...passed].join(" ")}\`. Its host code in the editable files is yours, too: grids and blocks,`,
    "several kernels or one, their parameters, buffers. Where host code or parameters change, the whole program is run and counted, and has",
    "to print and to leave the same; where the kernel alone changes, it is run with the recorded launch.",
  ].join("\n");
}

function cudaText(kernel = ""): string {
  return [
    "No source launches the kernel: grid and block were found out. A candidate may state them, in a function that does nothing else:",
    `\`inline void launch_${kernel}(PARAMETERS, cudaStream_t stream = nullptr) { ${kernel}<<<GRID, BLOCK, 0, stream>>>(THEM, IN, THEIR, ORDER); }\``,
    "with the kernel's own parameters, and GRID and BLOCK as expressions of them. That launch counts from then on. Without the function the",
    "grid and block above stay.",
  ].join("\n");
}

function tritonText(definition: string): string {
  return [
    "No source launches the kernel: the launch was found out. A candidate may state it, in a function with this very first line, which counts",
    "from then on:",
    "",
    "```python",
    definition.trimEnd(),
    "```",
  ].join("\n");
}
