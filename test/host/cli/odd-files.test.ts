import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lastObject, Workplace } from "./workplace";

const place = new Workplace();
afterAll(() => place.remove());
let source: string;
let spec: Record<string, unknown>;
beforeAll(() => {
  source = readFileSync(join(place.samples, "vector_add.cu"), "utf8");
  spec = JSON.parse(readFileSync(join(place.samples, "vector_add.cu.kernel.json"), "utf8")) as Record<
    string,
    unknown
  >;
});

interface OddFile {
  readonly title: string;
  readonly file: string;
  /** The kernel's text, from the sample's. */
  readonly text: (sample: string) => string;
  readonly kernel?: string;
  /** UTF-8 when left out. */
  readonly encoding?: BufferEncoding;
  /** Sizes at which a check shows that a file is read and compiled, and no more, when left out. */
  readonly shapes?: readonly object[];
}

const small = [{ sizes: { n: 1003 } }, { sizes: { n: 77 }, heldOut: true }];

/**
 * Puts a kernel with a spec and a reference into a folder of its own, and gives the file's path in the
 * workplace.
 */
function put({ title, file, text, kernel, encoding, shapes = small }: OddFile, specText?: string): string {
  const folder = title.replace(/[^\w]+/g, "-");
  const path = `${folder}/${file}`;
  mkdirSync(join(place.samples, path, ".."), { recursive: true });
  writeFileSync(join(place.samples, path), text(source), encoding ?? "utf8");
  const name = file.split("/").at(-1) ?? "";
  writeFileSync(
    join(place.samples, `${path}.kernel.json`),
    specText ??
      JSON.stringify({
        ...spec,
        kernel: `${name}::${kernel ?? "vector_add"}`,
        reference: { expressions: { out: "a + b" } },
        shapes,
      }),
  );
  return path;
}

const checked: readonly OddFile[] = [
  { title: "a file that a compiler would take for an option", file: "-o.cu", text: (sample) => sample },
  {
    title: "blanks, umlauts and what a shell would run",
    file: "ü b/$(touch x) & `y`.cu",
    text: (sample) => sample,
  },
  {
    title: "tabs and no end of the last line",
    file: "a.cu",
    text: (sample) => sample.replaceAll("  ", "\t").trimEnd(),
  },
  {
    title: "a namespace that the launch names",
    file: "a.cu",
    kernel: "nn::vector_add",
    text: (sample) =>
      sample
        .replace("__global__", "namespace nn {\n__global__")
        .replace("void launch", "}\nvoid launch")
        .replace("  vector_add<<<", "  nn::vector_add<<<"),
  },
  {
    title: "C linkage",
    file: "a.cu",
    text: (sample) => sample.replace("__global__", 'extern "C" __global__'),
  },
];

test.each(checked)("$title: is checked", async (given) => {
  const ended = await place.run(["check", put(given), "--json"]);
  expect(lastObject(ended)).toMatchObject({ verdict: { kind: "correct" } });
});

test("lines of a file with an odd name are counted under that name, and its errors stand on their lines", async () => {
  const odd = { title: "odd name", file: "ü (1) $(touch x).cu", text: (sample: string) => sample };
  const path = put(odd);
  const counted = lastObject(await place.run(["profile", path, "--json"])) as {
    verdict: { counters: { lines: { file: string }[] } };
  };
  expect([...new Set(counted.verdict.counters.lines.map((line) => line.file))]).toEqual([path]);
  put({ ...odd, text: (sample) => sample.replace("__global__", "__global__ missing") });
  expect(lastObject(await place.run(["check", path, "--json"]))).toMatchObject({
    verdict: {
      kind: "did-not-compile",
      diagnostics: expect.arrayContaining([expect.objectContaining({ file: path, line: 7 })]) as unknown,
    },
  });
});

const rewritten: readonly (Omit<OddFile, "file"> & {
  readonly keeps: (text: string) => boolean;
  /** More than the first, which changes one line. */
  readonly candidates?: number;
})[] = [
  {
    title: "lines that end as on Windows",
    candidates: 4,
    text: (sample) => sample.replaceAll("\n", "\r\n"),
    keeps: (text) => text.includes("\r\n") && !/[^\r]\n/.test(text),
  },
  {
    title: "a byte order mark",
    text: (sample) => `\ufeff${sample}`,
    keeps: (text) => text.startsWith("\ufeff//"),
  },
  {
    title: "UTF-16 with its mark",
    encoding: "utf16le",
    text: (sample) => `\ufeff${sample}`,
    keeps: (text) => text.startsWith("\ufeff//") && text.includes("__global__"),
  },
  {
    title: "no end of the last line",
    text: (sample) => sample.trimEnd(),
    keeps: (text) => text.endsWith("}"),
  },
];

test.each(rewritten)("$title: is kept by --apply", async ({ title, text, keeps, candidates = 1, ...how }) => {
  // Large enough that a rewrite is a gain.
  const shapes = [{ sizes: { n: 65_536 } }, ...small];
  const path = put({ title: `apply ${title}`, file: "a.cu", text, shapes, ...how });
  const ended = await place.run(["optimize", path, "--apply", "--candidates", String(candidates), "--json"]);
  expect(lastObject(ended)).toMatchObject({ outcome: "improved", applied: [path] });
  const after = readFileSync(join(place.samples, path), how.encoding ?? "utf8");
  expect({ changed: after !== text(source), kept: keeps(after) }).toEqual({ changed: true, kept: true });
});

const refused: readonly { readonly title: string; readonly spec: string; readonly says: string }[] = [
  { title: "a spec that is a list", spec: "[]", says: "a kernel spec (an object" },
  { title: "an empty spec", spec: "", says: "the file is empty" },
  {
    title: "a size of a hundred thousand parentheses",
    spec: JSON.stringify({
      version: 1,
      kernel: "a.cu::vector_add",
      launch: { arguments: ["out"] },
      outputs: { out: { dtype: "float32", shape: ["(".repeat(100_000)] } },
      shapes: [{ sizes: { n: 4 } }],
      reference: "baseline",
    }),
    says: "a.cu.kernel.json:1:",
  },
];

test.each(refused)(
  "$title: is told in short, with its file and line",
  async ({ title, spec: text, says }) => {
    const ended = await place.run([
      "check",
      put({ title, file: "a.cu", text: (sample) => sample }, text),
      "--json",
    ]);
    const { error } = lastObject(ended) as { error: { code: string; message: string } };
    expect(ended.code).toBe(3);
    expect({
      code: error.code,
      short: error.message.length < 1000,
      says: error.message.includes(says) ? says : error.message,
    }).toEqual({ code: "spec-invalid", short: true, says });
  },
);

test("an export that cannot be written says where and why, and nothing to export is an object too", async () => {
  const nothing = await place.run(["export", "--json"], {
    KERNELWRIGHT_SESSIONS: join(place.folder, "none"),
  });
  expect([nothing.code, lastObject(nothing)]).toMatchObject([
    3,
    { outcome: "failed", error: { code: "session-not-found" } },
  ]);
});

test("file names of hostile repositories cannot drive the terminal or turn its text around", async () => {
  const ended = await place.run(["check", "no\u001b[2J\u202eevil.cu"]);
  expect(ended.errors).toContain("no\\x1b[2J\\x202eevil.cu: there is no such file");
});
