import type { Bench } from "./bench";
import { onOneCore } from "./one-core";
import { measurePeers } from "./vgpu-peers";
import { measureSpeed } from "./vgpu-speed";
import { measureThreads } from "./vgpu-threads";

/**
 * `npm run bench -- vgpu`: the virtual GPU's own speed and memory, then against its peers; all of that on one
 * core.
 */
export const vgpuBench: Bench = {
  name: "vgpu",
  run: async () => {
    const { result, pinned } = await onOneCore(async () => [
      ...(await measureSpeed()),
      ...(await measurePeers()),
    ]);
    const onOne = pinned
      ? result
      : result.map((entry) => ({ ...entry, metric: `${entry.metric} (not pinned to one core)` }));
    return [...onOne, ...(await measureThreads())];
  },
};
