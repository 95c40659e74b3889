import { t } from "../localized";
import { readableName } from "../symbols/symbol-name";

/**
 * What there is to say of a header that no compiler of this product can find, whatever folders it looks in;
 * undefined of any other. Continues a sentence that begins with the header's name.
 */
export function unfoundHeader(header: string): string | undefined {
  if (header.includes("\\"))
    return t`is named as Windows writes paths: write / between its folders, which compilers take there, too`;
  if (/^(?:hip|rocm|rocprim|hipblas|hipcub)(?:[/_-]|$)/.test(header))
    return t`belongs to HIP, for GPUs of AMD: what is checked and run here is CUDA`;
  return undefined;
}

/** A sentence about a function of the device that has its body in another file; else undefined. */
export function missingBody(problem: string): string | undefined {
  const [, symbol] = /Unresolved extern function '(\w+)'/.exec(problem) ?? [];
  if (symbol === undefined) return undefined;
  const { name } = readableName(symbol);
  return t`${name} has its body in another file, and a kernel's file is compiled by itself: include that one, too.`;
}
