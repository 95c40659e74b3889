import { at } from "../../../core/base/known";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The worker's files in one piece, named by their content; read by server/worker/bootstrap.py. */
interface WorkerArchive {
  /** sha256 of `bytes`. */
  readonly digest: string;
  readonly bytes: Uint8Array;
  /** Source of the program that unpacks it on the far side. */
  readonly bootstrap: string;
}

const bootstrapName = "bootstrap.py";

/**
 * Packs the Python files below the worker's folder, sorted, so that the same files always give the same
 * digest.
 */
export async function packWorker(workerFolder: string): Promise<WorkerArchive> {
  const entries = await readdir(workerFolder, { recursive: true });
  const names = entries.filter((name) => name.endsWith(".py") && name !== bootstrapName).sort();
  const contents = await Promise.all(names.map((name) => readFile(join(workerFolder, name))));
  const manifest = JSON.stringify(
    names.map((name, position) => [name.split("\\").join("/"), at(contents, position).byteLength]),
  );
  const bytes = Buffer.concat([Buffer.from(`${manifest}\n`, "utf8"), ...contents]);
  const bootstrap = await readFile(join(workerFolder, bootstrapName), "utf8");
  return { digest: createHash("sha256").update(bytes).digest("hex"), bytes, bootstrap };
}
