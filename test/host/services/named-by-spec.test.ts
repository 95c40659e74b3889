import { expect, test } from "vitest";
import { OperationalError } from "../../../server/core/base/operational-error";
import type { FileReader } from "../../../server/core/ports/files";
import { createSpecService } from "../../../server/host/services/spec-service";

const spec = (kernel: string, file = "ops.cu", instance?: string): string =>
  JSON.stringify({
    version: 1,
    kernel: `${file}::${kernel}`,
    launch: {
      grid: [1],
      block: [32],
      arguments: ["y"],
      ...(instance !== undefined && { instance: [instance] }),
    },
    inputs: {},
    outputs: { y: { dtype: "float32", shape: [32] } },
    shapes: [{ sizes: { n: 32 } }],
    reference: "baseline",
    objective: "modelled-bound",
  });

const texts: Readonly<Record<string, string>> = {
  "src/ops.cu": "",
  "src/any.kernel.json": spec("nn::add"),
  "src/other.kernel.json": spec("scale"),
  "src/sum.cu.fold.128.kernel.json": spec("fold", "sum.cu", "128"),
  "src/sum.cu.fold.kernel.json": spec("fold", "sum.cu", "64"),
  "src/min.cu.fold.kernel.json": spec("fold", "min.cu", "64"),
  "src/min.cu.mine.kernel.json": spec("fold", "min.cu", "128"),
};

const files: FileReader = {
  read: (path) => Promise.resolve(texts[path]),
  list: () => Promise.resolve(Object.keys(texts).filter((path) => path.endsWith(".kernel.json"))),
};

/** Infers nothing but which kernel it was asked for. */
const specs = createSpecService(files, {
  infer: (name) =>
    Promise.reject(
      new OperationalError("spec-invalid", { forUser: `asked for ${name.file}::${name.kernel}` }),
    ),
  kernels: (file) => Promise.reject(new Error(`the kernels of ${file} were asked for`)),
  home: ({ file }) => Promise.resolve(file),
});

const how = {
  target: { kind: "vgpu", architecture: "sm_80" },
  signal: new AbortController().signal,
} as const;

test.each<{ readonly file: string; readonly kernel?: string; readonly expected: unknown }>([
  { file: "src/any.kernel.json", expected: ["nn::add", ["nn::add"], "asked for src/ops.cu::nn::add"] },
  {
    file: "src/any.kernel.json",
    kernel: "add",
    expected: ["nn::add", ["nn::add"], "asked for src/ops.cu::nn::add"],
  },
  { file: "src/other.kernel.json", expected: ["scale", ["scale"], "asked for src/ops.cu::scale"] },
  {
    file: "src/other.kernel.json",
    kernel: "add",
    expected: "src/other.kernel.json is the spec of scale, not of add.",
  },
  { file: "src/gone.kernel.json", expected: "src/gone.kernel.json: there is no such file." },
])("a kernel is named by its spec's file: $file, $kernel", async ({ expected, ...name }) => {
  const told = async (): Promise<unknown> => [
    (await specs.find(name)).spec.kernel,
    await specs.kernels(name),
    await specs.infer(name, how).catch((thrown: unknown) => String((thrown as Error).message)),
  ];
  expect(await told().catch((thrown: unknown) => (thrown as Error).message)).toEqual(expected);
});

test.each([
  {
    title: "of recorded instances the one whose file is called after the kernel",
    file: "src/sum.cu",
    expected: "src/sum.cu.fold.kernel.json",
  },
  {
    title: "another instance by its file",
    file: "src/sum.cu.fold.128.kernel.json",
    expected: "src/sum.cu.fold.128.kernel.json",
  },
  {
    title: "none of several where nothing says which",
    file: "src/min.cu",
    expected:
      "src/min.cu has several kernel specs; name one of src/min.cu::fold (src/min.cu.fold.kernel.json), src/min.cu::fold (src/min.cu.mine.kernel.json).",
  },
])("a kernel with several specs means $title", async ({ file, expected }) => {
  const found = specs.find({ file, kernel: "fold" }).then(({ specPath }) => specPath);
  expect(await found.catch((thrown: unknown) => (thrown as Error).message)).toBe(expected);
});
