import { parentPort, workerData } from "node:worker_threads";
import type { HelperWork } from "../../spread/launch-spread";
import { HelperTeam, type KernelText, type ThreadData } from "./launch-team";
import { toSend } from "./sent-result";
import type { LaunchJob } from "./virtual-gpu";
import { JobRunner } from "./vgpu-job";

/**
 * Entry of a virtual-GPU thread: one job in, one result out; as a helper, one part of another thread's
 * launch. It has no access to files, processes or the network by its own imports. Helpers are started as this
 * thread was: by server/host/start, which reads what is kept of its code and no more.
 */
const port = parentPort;
const { threadFile, stop } = workerData as ThreadData;
const flag = stop && new Int32Array(stop);
const runner = new JobRunner(threadFile === undefined ? undefined : new HelperTeam(threadFile), () =>
  flag === undefined ? false : Atomics.load(flag, 0) !== 0,
);
if (threadFile === undefined)
  port?.on("message", (work: HelperWork<KernelText>) => {
    port.postMessage(runner.help(work));
  });
else
  port?.on("message", (job: LaunchJob) => {
    void runner.run(job).then((result) => {
      const { sent, handedOver } = toSend(job, result);
      port.postMessage(sent, handedOver);
    });
  });
