import type { Bench } from "./bench";
import { onOneCore } from "./one-core";
import { measurePeers } from "./vgpu-peers";
import { measureSpeed } from "./vgpu-speed";

/** `npm run bench -- vgpu`: the virtual GPU's own speed and memory, then against its peers; all of it on one core. */
export const vgpuBench: Bench = {
  name: "vgpu",
  run: async () => {
    const { result, pinned } = await onOneCore(async () => [...await measureSpeed(), ...await measurePeers()]);
    return pinned ? result : result.map((entry) => ({ ...entry, metric: `${entry.metric} (not pinned to one core)` }));
  },
};
