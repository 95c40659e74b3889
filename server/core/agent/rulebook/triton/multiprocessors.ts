import type { TritonView } from "./kernel";

/**
 * How many multiprocessors the GPU at hand has, in the words of the function that launches; where the file
 * does not know torch, those of the GPU that was judged for.
 */
export function multiprocessorsText({ source }: Pick<TritonView, "source">, known: number): string {
  return importsWhole(source, "torch")
    ? "torch.cuda.get_device_properties(torch.cuda.current_device()).multi_processor_count"
    : String(known);
}

/** True for a file that knows a module by its own name: `import torch`, `import torch, triton`. */
export function importsWhole(source: string, name: string): boolean {
  return [...source.matchAll(/^import ([^#\n]*)/gm)].some(([, modules = ""]) =>
    modules.split(",").some((each) => each.trim() === name),
  );
}
