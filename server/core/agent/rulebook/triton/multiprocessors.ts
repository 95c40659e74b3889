import type { TritonView } from "./kernel";

/**
 * How many multiprocessors the GPU at hand has, in the words of the function that launches; where the file
 * does not know torch, those of the GPU that was judged for.
 */
export function multiprocessorsText({ source }: Pick<TritonView, "source">, known: number): string {
  return /^import torch\s*$/m.test(source)
    ? "torch.cuda.get_device_properties(torch.cuda.current_device()).multi_processor_count"
    : String(known);
}
