import { OperationalError } from "../../core/base/operational-error";
import { isKnownArchitecture, knownArchitectures } from "../../core/timing/gpu-model";

/** Throws `usage` for an `--arch` of which no GPU is modelled. */
export function requireModelled(architecture: string): void {
  if (isKnownArchitecture(architecture)) return;
  throw new OperationalError("usage", {
    forUser: `--arch ${architecture}: no GPU of this architecture is modelled. There are ${knownArchitectures().join(", ")}`,
  });
}
