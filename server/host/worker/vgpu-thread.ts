import { parentPort } from "node:worker_threads";
import type { LaunchJob } from "./virtual-gpu";
import { JobRunner } from "./vgpu-job";

/** Entry of a virtual-GPU thread: one job in, one result out. It has no access to files, processes or the network by its own imports. */
const port = parentPort;
const runner = new JobRunner();
port?.on("message", (job: LaunchJob) => {
  const result = runner.run(job);
  port.postMessage(result);
});
