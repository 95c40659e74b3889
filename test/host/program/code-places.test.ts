import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { explainLinking } from "../../../server/host/program/build/build-program";
import { CodePlaces } from "../../../server/host/program/build/code-places";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "kernelwright-places-")));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("code addresses become the innermost place in the user's own file", async () => {
  writeFileSync(
    join(folder, "inner.hpp"),
    'static inline __attribute__((always_inline)) void inner() { __builtin_printf("%d", 1); }\n',
  );
  writeFileSync(join(folder, "main.cpp"), '#include "inner.hpp"\n\nint main() {\n  inner();\n}\n');
  expect(
    spawnSync("g++", ["-g", "-O1", "-o", join(folder, "program"), join(folder, "main.cpp")]).status,
  ).toBe(0);
  const symbol =
    /^0*([0-9a-f]+) T main$/m.exec(
      spawnSync("nm", [join(folder, "program")], { encoding: "utf8" }).stdout,
    )?.[1] ?? "";
  const listing = spawnSync("objdump", ["-d", `--start-address=0x${symbol}`, join(folder, "program")], {
    encoding: "utf8",
  }).stdout;
  const call = /^\s*([0-9a-f]+):.*call.*printf/m.exec(listing)?.[1] ?? "";
  const places = new CodePlaces({ file: "main.cpp", folder, compileOptions: [] });
  await places.learn(join(folder, "program"), [`@1,${call}`], new AbortController().signal);
  expect([
    places.of(`@1,${call}`),
    places.of("@1"),
    places.of("main.cpp:7"),
    places.of(join(folder, "inner.hpp:2")),
    places.of("/elsewhere/x.py:3"),
    places.of(""),
  ]).toEqual([
    { file: "main.cpp", line: 4 },
    { file: "", line: 0 },
    { file: "main.cpp", line: 7 },
    { file: "inner.hpp", line: 2 },
    { file: "/elsewhere/x.py", line: 3 },
    { file: "", line: 0 },
  ]);
});

const linking: readonly { readonly title: string; readonly said: string; readonly told: string }[] = [
  {
    title: "a compiler's message",
    said: 'a.cu(3): error: expected a ";"\n',
    told: 'a.cu(3): error: expected a ";"\n',
  },
  {
    title: "that a file of kernels is no program",
    said: "/usr/bin/ld: crt1.o: in function `_start':\n(.text+0x1b): undefined reference to `main'\n",
    told: "there is no main(): run takes whole programs, check and profile take kernels\n",
  },
  {
    title: "functions that the runtime lacks, once each",
    said: "/usr/bin/ld: /tmp/x.o: in function `main':\n/home/me/a.cu:6: undefined reference to `cudaGraphCreate'\n/usr/bin/ld: /home/me/a.cu:9: undefined reference to `cudaGraphCreate'\n/usr/bin/ld: /tmp/x.o:(.text+0x9): undefined reference to `cuInit'\ncollect2: error: ld returned 1 exit status\n",
    told: "~/a.cu:6: the virtual GPU's runtime has no cudaGraphCreate\nthe virtual GPU's runtime has no cuInit\n",
  },
  {
    title: "the user's own missing function beside them",
    said: "/home/me/a.cu:6: undefined reference to `cudaGraphCreate'\n/home/me/a.cu:7: undefined reference to `helper()'\ncollect2: error: ld returned 1 exit status\n",
    told: "~/a.cu:6: the virtual GPU's runtime has no cudaGraphCreate\n/home/me/a.cu:7: undefined reference to `helper()'\n",
  },
];

test.each(linking)("of a failed build the user reads $title", ({ said, told }) => {
  expect(explainLinking(said, (path) => path.replace("/home/me", "~"))).toBe(told);
});
