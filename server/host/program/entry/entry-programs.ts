import { chmod, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { OperationalError } from "../../../core/base/operational-error";
import type {
  EntryProgram,
  EntryPrograms,
  EntryStart,
  GpuLibraries,
  TimedSupport,
} from "../../../core/ports/entry-programs";
import { makePrivateFolder } from "../../process/private-folder";
import { startProcess } from "../../process/start-process";
import { includedHeaders, neededRooms } from "../build/gpu-libraries";
import { gpuLibrary, libraryHeaders, runtimeLibrary } from "../build/runtime-library";
import { startDevice } from "../run/device-host";
import type { DeviceThreads } from "../run/device-threads";
import { type EntryPlace, RunningEntry } from "./running-entry";

interface EntryProgramsOptions {
  readonly findNvcc: (signal: AbortSignal) => Promise<string>;
  readonly threads: DeviceThreads;
  /** Folder with the sources of the CUDA runtime. */
  readonly runtimeSources: string;
  /** Folder of the product's caches. */
  readonly cache: string;
  /** The interpreter and the worker's folder: they close the walls. */
  readonly python: string;
  readonly workerFolder: string;
}

/** Warp-level instructions after which a launch counts as endless. */
const launchBudget = 2_000_000_000;
/** Warp-level instructions of a program that are counted and watched: some seconds of work. */
const thoroughInstructions = 20_000_000;
/** Of processor time, for all cases of a candidate; each has a limit of its own besides. */
const processorSeconds = 3600;

/** Harnesses run as processes of this machine, behind walls, each with a device of its own. */
export class WalledEntryPrograms implements EntryPrograms {
  private built: Promise<string> | undefined;

  constructor(private readonly options: EntryProgramsOptions) {}

  library(signal: AbortSignal): Promise<string> {
    this.built ??= this.build(signal);
    const { built } = this;
    built.catch(() => {
      this.built = undefined;
    });
    return built;
  }

  async gpuLibraries(texts: readonly string[], signal: AbortSignal): Promise<GpuLibraries> {
    const { findNvcc, runtimeSources: sources, cache } = this.options;
    const runtime = { nvcc: await findNvcc(signal), sources, cache, signal };
    const rooms = neededRooms(includedHeaders(texts), []);
    const archives = await Promise.all(rooms.map((room) => gpuLibrary(runtime, room)));
    return { headers: libraryHeaders(sources), archives };
  }

  support(): Promise<string> {
    return this.source("harness.hpp");
  }

  programSupport(): Promise<string> {
    return this.source("program.hpp");
  }

  async timedSupport(): Promise<TimedSupport> {
    return timedSupport((name) => this.source(name));
  }

  async start(start: EntryStart): Promise<EntryProgram> {
    const { architecture, whole } = start;
    const watched = whole && { watched: whole.watched, simulates: true, thoroughInstructions };
    const options = { architecture, sanitize: true, profile: false, launchBudget, ...watched };
    const [device, folder] = await Promise.all([
      startDevice(this.options.threads, { ...options, awaitsCode: true }),
      makePrivateFolder(join(tmpdir(), "kernelwright-entry-")),
    ]);
    try {
      const shown = await makePrivateFolder(join(tmpdir(), "kernelwright-program-"));
      const executable = join(shown.path, "program");
      const process = await this.process(start, { device, folder, executable });
      const isWhole = whole !== undefined;
      const place = { device, folder, executable, shown, isWhole };
      return new RunningEntry(process, place);
    } catch (thrown) {
      await device.close();
      await folder.remove();
      throw thrown;
    }
  }

  private source(name: string): Promise<string> {
    return readFile(join(this.options.runtimeSources, "entry", name), "utf8");
  }

  private async build(signal: AbortSignal): Promise<string> {
    const { findNvcc, runtimeSources: sources, cache } = this.options;
    return runtimeLibrary({ nvcc: await findNvcc(signal), sources, cache, signal });
  }

  private async process(
    { program, requiredWalls, whole }: EntryStart,
    { device, folder, executable }: Omit<EntryPlace, "shown" | "isWhole">,
  ): ReturnType<typeof startProcess> {
    const { python, workerFolder } = this.options;
    await writeFile(executable, program);
    // Behind the walls it runs as a user that owns nothing.
    await chmod(dirname(executable), 0o755);
    await chmod(executable, 0o755);
    const wall = [
      "program",
      folder.path,
      dirname(executable),
      requiredWalls.join(),
      String(processorSeconds),
      "",
    ];
    return startProcess({
      command: python,
      arguments: ["-I", "-S", workerFolder, ...wall, "--", executable, ...(whole?.arguments ?? [])],
      environment: device.environment,
    }).catch((thrown: unknown) => {
      if (!(thrown instanceof OperationalError) || thrown.code !== "tool-missing") throw thrown;
      throw new OperationalError("tool-missing", {
        forUser: `there is no Python at "${python}", which closes the walls around the host code of CUDA candidates`,
        cause: thrown,
      });
    });
  }
}

const timedHeaders = ["timed.hpp", "orders.hpp", "contents.hpp"] as const;

/** Reads the parts of programs whose calls are timed by their names in `runtime/entry`. */
export async function timedSupport(source: (name: string) => Promise<string>): Promise<TimedSupport> {
  const headers: Record<string, string> = {};
  for (const name of timedHeaders) headers[`kernelwright-${name}`] = await source(name);
  return { headers, launcher: await source("launcher.hpp") };
}
