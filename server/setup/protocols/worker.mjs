import { readFileSync } from "node:fs";
import { inRepository } from "../support/layout.mjs";

/**
 * @typedef {{ params: Record<string, string>, result: Record<string, string>, receives: string, gives: string }} Method
 * @typedef {{
 *   lives: string, trusted: boolean, does: string,
 *   methods: Record<string, Method>, calls?: Record<string, Method>,
 * }} Role
 * @typedef {{
 *   version: number, headerLimitBytes: number, frameLimitBytes: number, errorCodes: string[], roles: Record<string, Role>,
 * }} WorkerProtocol
 */

/** @returns {WorkerProtocol} */
export function readWorkerProtocol() {
  return JSON.parse(readFileSync(inRepository("server", "worker", "worker-protocol.json"), "utf8"));
}

/** @param {readonly string[]} texts */
const union = (texts) => texts.map((text) => JSON.stringify(text)).join(" | ");

/** @param {WorkerProtocol} protocol */
export function workerTypescript({ version, headerLimitBytes, frameLimitBytes, errorCodes, roles }) {
  const methods = Object.values(roles).flatMap((role) => Object.keys(role.methods));
  const calls = Object.values(roles).flatMap((role) => Object.keys(role.calls ?? {}));
  return [
    "// Made of worker-protocol.json by `npm run protocols`: change it there.",
    'import type { OperationalCode } from "../../../core/base/operational-error";',
    `export const protocolVersion = ${version};\n/** The longest line of a message. */\nexport const headerLimitBytes = ${headerLimitBytes};\n/** The most bytes of all frames of a message together. */\nexport const frameLimitBytes = ${frameLimitBytes};`,
    `export type WorkerRole = ${union(Object.keys(roles))};`,
    `/** What a worker is asked. */\nexport type WorkerMethod = ${union(methods)};`,
    `/** What a worker asks while it works on a request. */\nexport const workerCalls = [${calls.map((name) => JSON.stringify(name)).join(", ")}] as const;\nexport type WorkerCall = (typeof workerCalls)[number];`,
    `/** Codes that a worker may use; anything else counts as a failed tool. */\nexport const workerCodes: readonly OperationalCode[] = [\n${errorCodes.map((code) => `  ${JSON.stringify(code)},`).join("\n")}\n];`,
  ].join("\n\n");
}

/** @param {WorkerProtocol} protocol */
export function workerPython({ version, headerLimitBytes, frameLimitBytes, errorCodes, roles }) {
  const list = (/** @type {readonly string[]} */ texts) =>
    `(${texts.map((text) => JSON.stringify(text)).join(", ")},)`;
  return [
    '# Made of worker-protocol.json by `npm run protocols`: change it there.\n# fmt: off\n"""Version, limits, roles, methods and error codes of the worker protocol."""',
    "from __future__ import annotations",
    [
      `PROTOCOL = ${version}`,
      `HEADER_LIMIT = ${headerLimitBytes}`,
      `FRAME_LIMIT = ${frameLimitBytes}`,
      `ROLES = ${list(Object.keys(roles))}`,
      "#: Methods of each role.",
      "METHODS = {",
      ...Object.entries(roles).map(
        ([name, role]) => `    ${JSON.stringify(name)}: ${list(Object.keys(role.methods))},`,
      ),
      "}",
      "#: The codes that an error may have.",
      "ERROR_CODES = (",
      ...errorCodes.map((code) => `    ${JSON.stringify(code)},`),
      ")",
    ].join("\n"),
  ].join("\n\n");
}

/** @param {Record<string, string>} fields */
const fieldsText = (fields) =>
  Object.entries(fields)
    .map(([name, text]) => (name === "…" ? text : `\`${name}\`: ${text}`))
    .join("; ");

/**
 * @param {string} name
 * @param {Method} method
 */
const row = (name, method) =>
  `| \`${name}\` | ${fieldsText(method.params)} | ${method.receives} | ${fieldsText(method.result)} | ${method.gives} |`;

/** @param {WorkerProtocol} protocol */
export function workerPage({ version, headerLimitBytes, frameLimitBytes, errorCodes, roles }) {
  const head = "| method | params | frames | result | frames |\n| --- | --- | --- | --- | --- |\n";
  return [
    `Version ${version}. A line has at most ${headerLimitBytes} bytes, the frames of a message at most ${frameLimitBytes} together.`,
    `| role | lives | trusted | does |\n| --- | --- | --- | --- |\n${Object.entries(roles)
      .map(
        ([name, { lives, trusted, does }]) =>
          `| \`${name}\` | ${lives} | ${trusted ? "yes" : "**no**"} | ${does} |`,
      )
      .join("\n")}`,
    ...Object.entries(roles).flatMap(([name, { methods, calls = {} }]) => [
      `**${name}**\n\n${head}${Object.entries(methods)
        .map(([method, facts]) => row(method, facts))
        .join("\n")}`,
      ...(Object.keys(calls).length === 0
        ? []
        : [
            `The ${name} asks:\n\n${head}${Object.entries(calls)
              .map(([method, facts]) => row(method, facts))
              .join("\n")}`,
          ]),
    ]),
    `Codes of errors: ${errorCodes.map((code) => `\`${code}\``).join(", ")}.`,
  ].join("\n\n");
}
