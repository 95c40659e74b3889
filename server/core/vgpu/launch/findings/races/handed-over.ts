import type { LaunchState } from "../../state/launch-state";
import { isVolatile, type Party } from "./race-text";

/**
 * Whether one party stores a volatile value and the other reads it once, outside of the loops in which the
 * kernel waits: a value that a flag of another place stands for. As strong accesses they do not race, but the
 * flag may be seen before the value where nothing orders the two stores (PTX ISA section 8). What is read
 * again and again until it has changed is such a flag itself.
 */
export function readsHandedOver({ kernel }: LaunchState, party: Party, other: Party): boolean {
  const { spinning } = kernel.code;
  if (spinning.size === 0 || !isVolatile(party) || !isVolatile(other)) return false;
  const [load, store] = party.site?.access === "load" ? [party.site, other.site] : [other.site, party.site];
  if (load?.access !== "load" || store?.access !== "store") return false;
  return !spinning.has(load.instruction);
}
