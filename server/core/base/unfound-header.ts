import { t } from "./localized";

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
