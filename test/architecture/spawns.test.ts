import { expect, test } from "vitest";
import { projectFiles, readProjectFile } from "./project";

/**
 * Every process of the product is started by one of two functions: one gives an allow-listed environment, the
 * other is for a program of the user's own.
 */
test("processes are started in one place, and no environment is handed on around it", () => {
  const product = projectFiles().filter(
    (path) => path.endsWith(".ts") && (path.startsWith("server/host/") || path.startsWith("client/")),
  );
  const starters = product.filter((path) => readProjectFile(path).includes('"node:child_process"'));
  expect(starters).toEqual(["server/host/process/start-process.ts", "server/host/process/start-program.ts"]);
  const readers = product.filter((path) => /\bprocess\.env\b/.test(readProjectFile(path)));
  expect(readers).toEqual(["server/host/process/environment.ts", "server/host/process/own-environment.ts"]);
});
