import { readFileSync } from "node:fs";
import { format } from "oxfmt";
import { inRepository } from "../support/layout.mjs";
import { PlainFailure } from "../support/problem.mjs";
import { deviceCpp, deviceOperationsCpp } from "./device-cpp.mjs";
import { devicePage } from "./device-page.mjs";
import { devicePython } from "./device-python.mjs";
import { readDeviceProtocol } from "./device-schema.mjs";
import { deviceTypescript } from "./device-typescript.mjs";
import { readWorkerProtocol, workerPage, workerPython, workerTypescript } from "./worker.mjs";

/**
 * Every file that is made of a protocol's schema, with the text that it should hold.
 * @returns {Promise<Map<string, string>>}
 */
export async function generatedFiles() {
  const device = readDeviceProtocol();
  const worker = readWorkerProtocol();
  const layout = JSON.parse(readFileSync(inRepository(".oxfmtrc.json"), "utf8"));
  const typescript = async (/** @type {string} */ path, /** @type {string} */ text) =>
    (await format(path, text, layout)).code;
  const deviceFile = "server/host/program/protocol/messages.ts";
  const workerFile = "server/host/worker/transport/protocol.ts";
  return new Map([
    [deviceFile, await typescript(deviceFile, deviceTypescript(device))],
    ["server/runtime/device/operations.hpp", `${deviceOperationsCpp(device)}\n`],
    ["server/runtime/device/protocol.hpp", `${deviceCpp(device)}\n`],
    ["server/worker/kernelwright_worker/script/protocol.py", `${devicePython(device)}\n`],
    ["server/host/program/PROTOCOL.md", pageWith("server/host/program/PROTOCOL.md", devicePage(device))],
    [workerFile, await typescript(workerFile, workerTypescript(worker))],
    ["server/worker/kernelwright_worker/protocol.py", `${workerPython(worker)}\n`],
    ["server/worker/PROTOCOL.md", pageWith("server/worker/PROTOCOL.md", workerPage(worker))],
  ]);
}

const begin = "<!-- tables: made by `npm run protocols` -->";
const end = "<!-- end of the tables -->";

/**
 * The page with its tables replaced.
 * @param {string} path
 * @param {string} tables
 */
function pageWith(path, tables) {
  const page = readFileSync(inRepository(path), "utf8");
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from)
    throw new PlainFailure(
      `${path} has no place for its tables: put the lines\n${begin}\n${end}\nwhere they belong`,
    );
  return `${page.slice(0, from + begin.length)}\n\n${tables}\n\n${page.slice(to)}`;
}
