import type { Finding } from "../../../core/judge/verdict";
import { otherLayouts } from "../triton/returned-layout";
import { hostComputed, type HostWork } from "./host-work";

/** Work of the kernel that is done elsewhere: by host code, or by whoever reads what is returned. */
export async function hostFaults(work: HostWork): Promise<readonly Finding[]> {
  const layouts = work.isBaseline ? [] : await otherLayouts(work);
  return [...layouts, ...(await hostComputed(work))];
}
