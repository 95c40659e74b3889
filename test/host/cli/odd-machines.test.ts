import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { lastObject, Workplace } from "./workplace";

const place = new Workplace();
afterAll(() => place.remove());
const python = process.env["KERNELWRIGHT_PYTHON"] ?? "python3";

/** A program that stands where Python is expected. */
function program(name: string, script: string): string {
  const path = join(place.folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

interface Machine {
  readonly title: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly says: readonly string[];
  readonly remedy?: string;
  readonly code?: number;
}

const check = ["check", "vector_add.cu"];
const machines: readonly Machine[] = [
  {
    title: "there is no such Python",
    args: check,
    environment: { KERNELWRIGHT_PYTHON: "/nowhere/python" },
    says: ['there is no Python at "/nowhere/python"'],
    remedy: "apt-get install python3",
  },
  {
    title: "what is called Python ends at once",
    args: check,
    environment: { KERNELWRIGHT_PYTHON: "/bin/false" },
    says: ["/bin/false", "cannot run the worker", "Python 3.8"],
    remedy: "kernelwright doctor",
  },
  {
    title: "Python 2",
    args: check,
    environment: {
      KERNELWRIGHT_PYTHON: program("python2", "echo 'SyntaxError: invalid syntax' >&2; exit 1"),
    },
    says: ["python2", "cannot run the worker", "SyntaxError"],
    remedy: "kernelwright doctor",
  },
  {
    title: "Python prints as it starts",
    args: check,
    environment: {
      KERNELWRIGHT_PYTHON: program("chatty", `echo 'hello from sitecustomize'; exec ${python} "$@"`),
    },
    says: ["chatty", "cannot run the worker", "hello from sitecustomize"],
    remedy: "kernelwright doctor",
  },
  {
    title: "Python has no packages",
    args: check,
    environment: { KERNELWRIGHT_PYTHON: program("bare", `exec ${python} -S "$@"`) },
    says: ["has no numpy", "compiling still works"],
    remedy: "pip install numpy",
  },
  {
    title: "nvcc is not where it is said to be",
    args: check,
    environment: { KERNELWRIGHT_NVCC: "/nowhere/nvcc" },
    says: ["nvcc is not at /nowhere/nvcc", "Triton kernels still work"],
    remedy: "which -a nvcc",
  },
];

test.each(machines)(
  "$title: a message that names it, one command, and an end",
  async ({ args, environment, says, remedy, code }) => {
    const ended = await place.run([...args, "--json"], environment);
    expect(ended.code).toBe(code ?? 3);
    const { outcome, error } = lastObject(ended) as {
      outcome: string;
      error: { message: string; remedy: string | null };
    };
    expect({
      outcome,
      says: says.filter((each) => error.message.includes(each)),
      remedy: error.remedy,
    }).toEqual({ outcome: "failed", says, remedy: remedy ?? null });
    expect(ended.errors).not.toContain("    at ");
  },
);

const commandLines: readonly (readonly string[])[] = [
  [],
  ["polish"],
  ["check"],
  ["check", "a.cu", "--fast"],
  ["optimize", "vector_add.cu", "--minutes", "soon"],
  ["optimize", "vector_add.cu", "--candidates", "-1"],
  ["export", "--format", "pdf"],
];

test.each(commandLines.map((args) => ({ args })))("not understood, in --json: $args", async ({ args }) => {
  const ended = await place.run([...args, "--json"]);
  expect(ended.code).toBe(2);
  expect(lastObject(ended)).toMatchObject({ outcome: "failed", error: { code: "usage" } });
});
