import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { parse } from "jsonc-parser";
import { expect, test } from "vitest";
import { nvccWords } from "../../../server/core/workload/build-settings";
import { createBuildService } from "../../../server/host/services/sources/build-service";
import { createCompileService, type FileCompiler } from "../../../server/host/services/compile-service";
import { createInstanceFinder } from "../../../server/host/services/sources/kernel-instances";
import { loadGrammars } from "../../../server/host/toolchain/grammars";
import schema from "../../../server/protocol/project.schema.json";
import { projectRoot } from "../../architecture/project";
import { memoryFiles } from "../../harness/memory-files";
import { evaluatorOfFile } from "./evaluation-under-test";

const started = evaluatorOfFile();

const page = readFileSync(join(projectRoot, "docs/build-settings.md"), "utf8");
const block = (language: string): string =>
  new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, "s").exec(page)?.[1] ?? "";

/** Compiles only if every field of the page's example has reached the compiler. */
const kernel = `#include <common.cuh>
static_assert(__cplusplus >= 202002L && USE_FAST_PATH && sizeof(GREETING) == 12);
#ifdef DEBUG
#error "not to be defined"
#endif
constexpr int rounded(int value) { return (value + TILE - 1) / TILE * TILE; }
__global__ void scale(float* values) { values[threadIdx.x] *= COMMON / __sinf(rounded(33)); }
`;
const files = memoryFiles({
  "kernelwright.json": block("json"),
  "CMakeLists.txt": "add_definitions(-DDEBUG)",
  "third_party/common/common.cuh": "#define COMMON 2.0f\n",
});
const builds = createBuildService({
  files,
  tops: ["/workspace"],
  given: { words: [], folder: "/workspace", where: "the command line" },
  findInstances: createInstanceFinder(loadGrammars),
});

test("the example of docs/build-settings.md fits the schema and gives the options that the page lists", async () => {
  expect(new Ajv({ allowUnionTypes: true }).compile(schema)(parse(block("json")))).toBe(true);
  const settings = await builds.settingsFor("src/scale.cuh", kernel);
  expect(nvccWords(settings, (folder) => folder).join(" ")).toBe(block("text"));
});

test("a kernel in a header compiles with every field of the page's example", async () => {
  const compiler: FileCompiler = {
    compileFile: (request) => started.evaluator.site(request.target).compileFile(request),
  };
  const { facts, diagnostics } = await createCompileService(files, builds, compiler).facts({
    file: "src/scale.cuh",
    text: kernel,
    target: { kind: "vgpu", architecture: "sm_80" },
    signal: new AbortController().signal,
  });
  expect(diagnostics).toEqual([]);
  expect(facts.map((fact) => fact.kernel)).toEqual(["scale"]);
});
