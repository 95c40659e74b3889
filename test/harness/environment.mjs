import { inRepository } from "../../server/setup/support/layout.mjs";
import { madePython } from "../../server/setup/steps/python.mjs";

/**
 * What tests and the programs that they start find in their environment: the Python that set-up has made, and
 * the worker's sources. In the fast lane there is no Python.
 * @returns {Record<string, string>}
 */
export function testEnvironment() {
  const { KERNELWRIGHT_PYTHON: named, KERNELWRIGHT_LANE: lane } = process.env;
  const python = named || (lane === "fast" ? undefined : madePython());
  return {
    ...(python ? { KERNELWRIGHT_PYTHON: python } : {}),
    PYTHONPATH: inRepository("server", "worker"),
    PYTHONDONTWRITEBYTECODE: "1",
  };
}
