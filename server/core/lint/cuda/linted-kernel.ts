import type { CudaKernel } from "../../language/cuda/kernels";
import type { Constants } from "../../language/cuda/constants";
import { type BlockValues, blockValues } from "./block-values";

/** A kernel as its lints ask about it. */
export interface LintedKernel {
  readonly kernel: CudaKernel;
  /** Of the file. */
  readonly constants: Constants;
  /** Found out when first asked for: most kernels have no barrier and no shared memory. */
  values(): BlockValues;
}

export function lintedKernel(kernel: CudaKernel, constants: Constants): LintedKernel {
  let values: BlockValues | undefined;
  return {
    kernel,
    constants,
    values: () => {
      values ??= blockValues(kernel, constants);
      return values;
    },
  };
}
