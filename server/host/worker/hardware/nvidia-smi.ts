import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { gpuQuery, type GpuState, readGpuStates } from "../../../core/hardware/gpu-state";
import { OperationalError } from "../../../core/base/operational-error";
import { runProcess } from "../../process/run-process";

const timeLimitMilliseconds = 20_000;

/** Beside the device of a GPU, what the driver and its memory are reached by; on WSL one device for all. */
const sharedDevices = ["/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/dxg"];

/** The GPUs of this machine. Throws `tool-missing` where there are none or the driver does not answer. */
export async function gpuStates(command: string, signal: AbortSignal): Promise<readonly GpuState[]> {
  const asked = await runProcess({ command, arguments: gpuQuery, signal, timeLimitMilliseconds }).catch(
    (thrown: unknown) => {
      if (!(thrown instanceof OperationalError) || thrown.code !== "tool-missing") throw thrown;
      throw noGpu("there is no nvidia-smi, which comes with NVIDIA's driver", thrown);
    },
  );
  if (asked.kind !== "exited" || asked.code !== 0) {
    const said = `${asked.output}${asked.errors}`.trim().split("\n")[0] ?? "";
    throw noGpu(`nvidia-smi failed${said === "" ? "" : `: ${said}`}`);
  }
  const states = readGpuStates(asked.output);
  if (!states.ok) throw noGpu(states.problem);
  if (states.value.length === 0) throw noGpu("nvidia-smi lists no GPU");
  return states.value;
}

/** The GPU of a target. Throws `tool-missing` with the numbers that there are. */
export async function gpuNumbered(command: string, index: number, signal: AbortSignal): Promise<GpuState> {
  const states = await gpuStates(command, signal);
  const found = states.find((state) => state.index === index);
  if (found !== undefined) return found;
  const there = states.map((state) => `gpu:${state.index} (${state.name})`).join(", ");
  throw noGpu(`this machine has no GPU number ${index}; it has ${there}`);
}

/** Devices that a process needs to use one GPU, as far as they are there. */
export async function devicesOf(gpu: Pick<GpuState, "index" | "busId">): Promise<readonly string[]> {
  const own = `/dev/nvidia${await minorNumber(gpu)}`;
  return [own, ...sharedDevices].filter((path) => existsSync(path));
}

/** The driver names a GPU's folder by its place on the bus, with four digits for the domain. */
async function minorNumber({ index, busId }: Pick<GpuState, "index" | "busId">): Promise<number> {
  const folder = `/proc/driver/nvidia/gpus/${busId.toLowerCase().slice(-12)}`;
  const shown = await readFile(`${folder}/information`, "utf8").catch(() => "");
  const minor = /Device Minor:\s*(\d+)/.exec(shown);
  return minor === null ? index : Number(minor[1]);
}

function noGpu(problem: string, cause?: unknown): OperationalError {
  return new OperationalError("tool-missing", {
    forUser: `a target gpu:N needs an NVIDIA GPU with its driver: ${problem}. Without one, vgpu:sm_80 runs kernels on the virtual GPU`,
    remedy: "kernelwright doctor",
    cause,
  });
}
