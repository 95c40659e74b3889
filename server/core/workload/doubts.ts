/**
 * What runs of a kernel as it is say against a workload that was found, by the names of its tensors. Outputs
 * of which other elements are written for other inputs; those that are others when the same is run again;
 * inputs that are overwritten, and are outputs too.
 */
export interface WorkloadDoubts {
  readonly sparse: readonly string[];
  readonly varying: readonly string[];
  readonly overwritten: readonly string[];
}

/** That nothing was seen against a workload. */
export const noDoubts: WorkloadDoubts = { sparse: [], varying: [], overwritten: [] };
