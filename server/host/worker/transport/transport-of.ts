import { hostOf, type Target } from "../../../core/timing/target";
import { spawnTransport, type SpawnTransportOptions } from "./spawn-transport";
import { SshTransport } from "./ssh-transport";
import type { Transport } from "./transport";

export interface TransportOptions extends SpawnTransportOptions {
  /**
   * For targets over ssh: another interpreter than `python3` there, another configuration file than the
   * user's.
   */
  readonly ssh?: { readonly remotePython?: string; readonly configFile?: string };
}

/** The way to workers on a target's machine. Starts nothing. */
export function transportOf(target: Target, options: TransportOptions): Transport {
  const host = hostOf(target);
  if (host === undefined) return spawnTransport(options);
  return new SshTransport({ host, workerFolder: options.workerFolder, ...options.ssh });
}
