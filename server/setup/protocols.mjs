import { readFileSync, writeFileSync } from "node:fs";
import { generatedFiles } from "./protocols/generated.mjs";
import { inRepository } from "./support/layout.mjs";
import { main, options } from "./support/main.mjs";

const usage = `npm run protocols [-- --check]

Writes the constants, codecs and pages of the device protocol (server/host/program/device-protocol.json) and of
the worker protocol (server/worker/worker-protocol.json).
  --check  write nothing; exit 1 when a file is not what its schema gives`;

main(async () => {
  const { values } = options(usage, { options: { check: { type: "boolean" }, help: { type: "boolean" } } });
  if (values.help) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const stale = [];
  for (const [path, text] of await generatedFiles()) {
    if (current(path) === text) continue;
    stale.push(path);
    if (!values.check) writeFileSync(inRepository(path), text);
  }
  for (const path of stale) process.stdout.write(`${values.check ? "stale" : "written"}: ${path}\n`);
  return values.check && stale.length > 0 ? 1 : 0;
});

/** @param {string} path */
function current(path) {
  try {
    return readFileSync(inRepository(path), "utf8");
  } catch {
    return undefined;
  }
}
