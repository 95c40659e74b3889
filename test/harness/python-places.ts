import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "../../server/setup/support/layout.mjs";

/** The places of test/worker/places.py: walls by namespaces, walls by Landlock, none at all. */
export type Place = "machine" | "container" | "bare";

/** An interpreter that lives in a place, as the setting kernelwright.python would name it. */
export function pythonIn(place: Place, folder: string): string {
  const path = join(folder, place);
  const python = process.env["KERNELWRIGHT_PYTHON"] ?? "python3";
  const places = inRepository("test", "worker", "places.py");
  writeFileSync(path, `#!/bin/sh\nexec "${python}" "${places}" ${place} "${python}" "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}
