import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { cacheFolder, findPython, gpuPythonChoice } from "../../../server/host/toolchain/find-python";

const cache = mkdtempSync(join(tmpdir(), "kernelwright-find-python-"));
afterAll(() => rmSync(cache, { recursive: true }));

/** An environment as set-up leaves it, or as a set-up leaves it that was killed before its end. */
function environment(name: string, complete: boolean): string {
  const folder = join(cache, "kernelwright", name);
  mkdirSync(join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "bin", "python"), "");
  if (complete) writeFileSync(join(folder, ".complete"), "");
  return join(folder, "bin", "python");
}

const whole = environment("python-0aaa", true);
environment("python-0bbb", false);
environment("formatters-0ccc", true);

const table = [
  {
    what: "the setting",
    setting: "/mine",
    set: { KERNELWRIGHT_PYTHON: "/other" },
    gives: ["/mine", "setting"],
  },
  { what: "the variable", set: { KERNELWRIGHT_PYTHON: "/other" }, gives: ["/other", "environment"] },
  { what: "the environment that is complete", set: {}, gives: [whole, "own environment"] },
  {
    what: "PATH where set-up never ran",
    set: { XDG_CACHE_HOME: join(cache, "none") },
    gives: ["python3", "PATH"],
  },
];
test.each(table)("the worker's Python is taken from $what", ({ setting = "", set, gives }) => {
  const { python, because } = findPython(setting, { XDG_CACHE_HOME: cache, ...set });
  expect([python, because]).toEqual(gives);
});

test.each([
  ["/mine", { KERNELWRIGHT_GPU_PYTHON: "/other", VIRTUAL_ENV: "/env" }, ["/mine"], []],
  ["", { KERNELWRIGHT_GPU_PYTHON: "/other", VIRTUAL_ENV: "/env" }, ["/other"], []],
  ["", { VIRTUAL_ENV: "/env", CONDA_PREFIX: "/conda" }, [], ["/env/bin/python", "/conda/bin/python"]],
  ["", {}, [], []],
])(
  "Triton kernels on a GPU: with the setting '%s' and %j the named are %j, the usual %j",
  (setting, set, named, usual) => {
    expect(gpuPythonChoice(setting, set)).toEqual({ named, usual });
  },
);

const own = join(homedir(), ".cache", "kernelwright");
test.each([
  ["/absolute", "/absolute/kernelwright"],
  ["relative", own],
  ["", own],
  [undefined, own],
])("with XDG_CACHE_HOME=%s the cache is %s", (value, expected) => {
  expect(cacheFolder({ XDG_CACHE_HOME: value })).toBe(expected);
});
