import type { JsonObject } from "../../../core/base/json";
import { gpuQuery, type GpuState, readGpuStates } from "../../../core/hardware/gpu-state";
import { type GpuUser, type GpuWait, readGpuUsers, usersQuery } from "../../../core/hardware/gpu-users";
import { OperationalError } from "../../../core/base/operational-error";
import type { RunningProcess } from "../../process/start-process";
import { objectIn, listIn, numberIn, textIn } from "../transport/read-json";
import type { Transport } from "../transport/transport";
import { WorkerHandle } from "../transport/worker-handle";
import { type GpuPython, type GpuPythonChoice, readGpuPython } from "./python/gpu-python";
import { TimedProcess } from "./timed/timed-process";

/** What a worker may take for an answer that waits for nothing but its machine. */
const answerMilliseconds = 60_000;
/** How long a GPU that others use is waited for. */
const claimMilliseconds = 12 * 3_600_000;
/** When somebody who waits is told first, and how often then. */
const firstToldMilliseconds = 1_000;
const toldMilliseconds = 8_000;
/** Of processor time, for all calls of a candidate. */
const processorSeconds = 3600;

interface WalledProgram {
  readonly program: Uint8Array;
  readonly gpu: Pick<GpuState, "index" | "busId" | "uuid">;
  /** Names of walls without which it is not started. */
  readonly walls: readonly string[];
}

/**
 * The GPUs of a machine, this one or one behind ssh, with NVIDIA's driver. Starts nothing until it is asked.
 */
export class GpuMachine {
  private readonly worker: WorkerHandle;

  constructor(private readonly transport: Transport) {
    this.worker = new WorkerHandle(transport, "gpu");
  }

  /** Throws `tool-missing` where there is no GPU of that number, with the numbers that there are. */
  async numbered(index: number, signal: AbortSignal): Promise<GpuState> {
    const states = await this.states(signal);
    const found = states.find((state) => state.index === index);
    if (found !== undefined) return found;
    const there = states.map((state) => `gpu:${state.index} (${state.name})`).join(", ");
    throw this.noGpu(`it has no GPU number ${index}; it has ${there}`);
  }

  /** The programs on a GPU, those of other people among them, as far as the driver shows them. */
  async users(uuid: string, signal: AbortSignal): Promise<readonly GpuUser[]> {
    const answer = await askDriver(this.worker, usersQuery, signal);
    return numberIn(answer, "code") === 0 ? readGpuUsers(textIn(answer, "output"), uuid) : [];
  }

  /**
   * Waits until nobody else on that machine uses the GPU, and keeps it. `onWait` is told again and again
   * meanwhile. Throws `cancelled`.
   */
  async claim(
    uuid: string,
    signal: AbortSignal,
    onWait: (wait: GpuWait) => void = ignore,
  ): Promise<{ readonly release: () => Promise<void> }> {
    const limits = { signal, timeLimitMilliseconds: claimMilliseconds };
    const claiming = this.worker.request("claim", { uuid }, limits);
    let isWaiting = true;
    const tell = async (): Promise<void> => {
      const told = await this.worker.request("holder", { uuid }, within());
      if (isWaiting) onWait({ holder: textIn(objectIn(told.result, "result"), "holder") });
    };
    // Who cannot be named is waited for all the same.
    const say = (): void => void tell().catch(ignore);
    const first = setTimeout(say, firstToldMilliseconds);
    const again = setInterval(say, toldMilliseconds);
    const reply = await claiming.finally(() => {
      isWaiting = false;
      clearTimeout(first);
      clearInterval(again);
    });
    const claim = numberIn(objectIn(reply.result, "result"), "claim");
    const release = this.worker.request.bind(this.worker, "release", { claim }, within());
    // A worker that was lost has given the GPU back.
    return { release: () => release().then(ignore, ignore) };
  }

  /** Starts an executable with the devices of one GPU; it is removed when the process is closed. */
  async start({ program, gpu, walls }: WalledProgram): Promise<TimedProcess> {
    return this.placed([program], async (place) =>
      this.transport.startProgram(
        [
          ...[textIn(place, "writable"), textIn(place, "shown")],
          ...[
            walls.join(),
            String(processorSeconds),
            await this.devices(gpu),
            "--",
            textIn(place, "program"),
          ],
        ],
        surroundings(place, gpu),
      ),
    );
  }

  /** The Python of that machine that calls Triton kernels. Throws `tool-missing` where none will do. */
  async python({ named, usual }: GpuPythonChoice, signal: AbortSignal): Promise<GpuPython> {
    const params = { named: [...named], usual: [...usual] };
    const found = await this.worker.request("find-python", params, { ...within(), signal });
    return readGpuPython(objectIn(found.result, "result"), this.transport.description);
  }

  /** Starts a Python that times calls with the devices of one GPU, behind walls. */
  async startPython(
    python: GpuPython,
    { gpu, walls }: Omit<WalledProgram, "program">,
  ): Promise<TimedProcess> {
    return this.placed([], async (place) => {
      const words = [textIn(place, "writable"), textIn(place, "shown"), walls.join()];
      return this.transport.startTimed(
        python.program,
        [...words, String(processorSeconds), await this.devices(gpu)],
        surroundings(place, gpu),
      );
    });
  }

  close(): Promise<void> {
    return this.worker.close();
  }

  /** Starts a process with folders of its own, which are removed when it is closed. */
  private async placed(
    frames: readonly Uint8Array[],
    start: (place: JsonObject) => Promise<RunningProcess>,
  ): Promise<TimedProcess> {
    const put = await this.worker.request("put-program", {}, { ...within(), frames });
    const place = objectIn(put.result, "result");
    const number = numberIn(place, "place");
    const remove = (): Promise<void> =>
      this.worker.request("remove-program", { place: number }, within()).then(ignore, ignore);
    try {
      return new TimedProcess(await start(place), { end: remove, close: remove });
    } catch (thrown) {
      await remove();
      throw thrown;
    }
  }

  /** The devices that a GPU is reached by, with `,` between them. */
  private async devices({ index, busId }: WalledProgram["gpu"]): Promise<string> {
    const found = await this.worker.request("devices", { index, bus: busId }, within());
    return listIn(objectIn(found.result, "result"), "devices").join();
  }

  /** Throws `tool-missing` where there are none or the driver does not answer. */
  private async states(signal: AbortSignal): Promise<readonly GpuState[]> {
    const answer = await askDriver(this.worker, gpuQuery, signal).catch((thrown: unknown) => {
      if (!(thrown instanceof OperationalError) || thrown.code !== "tool-missing") throw thrown;
      throw this.noGpu(thrown.message, thrown);
    });
    if (numberIn(answer, "code") !== 0) {
      const [said = ""] = `${textIn(answer, "output")}${textIn(answer, "errors")}`.trim().split("\n");
      throw this.noGpu(`nvidia-smi failed${said === "" ? "" : `: ${said}`}`);
    }
    const states = readGpuStates(textIn(answer, "output"));
    if (!states.ok) throw this.noGpu(states.problem);
    if (states.value.length === 0) throw this.noGpu("nvidia-smi lists no GPU");
    return states.value;
  }

  private noGpu(problem: string, cause?: unknown): OperationalError {
    return new OperationalError("tool-missing", {
      forUser: `a target gpu:N needs an NVIDIA GPU with its driver on ${this.transport.description}: ${problem}. Without one, vgpu:sm_80 runs kernels on the virtual GPU`,
      remedy: "kernelwright doctor",
      cause,
    });
  }
}

/** What nvidia-smi answers: `code`, `output` and `errors`. */
async function askDriver(
  worker: WorkerHandle,
  query: readonly string[],
  signal: AbortSignal,
): Promise<JsonObject> {
  const asked = await worker.request("ask-driver", { arguments: [...query] }, { ...within(), signal });
  return objectIn(asked.result, "result");
}

/** The environment of a process in a place. */
function surroundings(place: JsonObject, gpu: WalledProgram["gpu"]): Readonly<Record<string, string>> {
  return { CUDA_VISIBLE_DEVICES: gpu.uuid, KERNELWRIGHT_PROCESS: textIn(place, "process") };
}

function within(): { readonly timeLimitMilliseconds: number } {
  return { timeLimitMilliseconds: answerMilliseconds };
}

function ignore(): void {}
