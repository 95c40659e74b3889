import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CodeLens, Diagnostic, PublishDiagnosticsParams } from "vscode-languageserver-protocol";
import type { FactsView } from "../../../server/protocol/views";
import { LanguageClient } from "../../harness/language-client";

/** A program that launches a kernel as often as its argument says, in launches of two lengths. */
const program = `#include <cstdio>
#include <cstdlib>
__global__ void scale(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 2.0f * x[i];
}
int main(int count, char** words) {
  if (count < 2) {
    printf("usage: scale ROUNDS\\n");
    return 2;
  }
  float* x;
  cudaMalloc(&x, 4000);
  cudaMemset(x, 1, 4000);
  for (int round = 0; round < atoi(words[1]); ++round) scale<<<8, 128>>>(x, 1000 - round % 2);
  return cudaDeviceSynchronize();
}
`;

const folder = mkdtempSync(join(tmpdir(), "kernelwright-record-"));
const sessionsFolder = mkdtempSync(join(tmpdir(), "kernelwright-sessions-"));
writeFileSync(join(folder, "scale.cu"), program);
let client: LanguageClient;

beforeAll(async () => {
  client = await LanguageClient.start({ folder, trusted: true, settings: { sessionsFolder } });
  await client.open("scale.cu", program);
});
afterAll(async () => {
  await client.stop();
  for (const each of [folder, sessionsFolder]) rmSync(each, { recursive: true, force: true });
});

const lenses = async (): Promise<readonly string[]> =>
  (
    await client.connection.sendRequest<CodeLens[]>("textDocument/codeLens", {
      textDocument: { uri: client.uri("scale.cu") },
    })
  ).map(({ range, command }) => `${range.start.line + 1}: ${command?.title}`);

test("a program has a lens that records it; what was recorded, left out and written is said", async () => {
  expect(await lenses()).toContain("7: Record");
  const uri = client.uri("scale.cu");
  expect(await client.request("kernelwright/record", { uri })).toMatchObject({
    summary: "scale.cu ended with 2 and launched no kernel. Give it the arguments with which it does.",
    detail: expect.stringContaining("\n```\nusage: scale ROUNDS\n```") as unknown,
    launches: 0,
    specs: [],
  });
  const recorded = await client.request("kernelwright/record", { uri, arguments: ["5"] });
  const [spec] = recorded.specs;
  expect({ ...recorded, specs: recorded.specs.map(({ kernel, there }) => [kernel, there]) }).toEqual({
    summary: "scale.cu ended with 0. Recorded scale (2 cases) from 5 launches.",
    detail: [
      "**scale.cu ended with 0. Recorded scale (2 cases) from 5 launches.**",
      "",
      "| kernel | defined in | launches | cases | not recorded | spec |",
      "| --- | --- | --- | --- | --- | --- |",
      "| `scale` | scale.cu | 5 | 2 | 0 | scale.cu.scale.kernel.json |",
    ].join("\n"),
    launches: 5,
    specs: [["scale", "nothing"]],
  });
  writeFileSync(fileURLToPath(spec?.uri ?? ""), spec?.text ?? "");
  await client.connection.sendNotification("workspace/didChangeWatchedFiles", {
    changes: [{ uri: spec?.uri, type: 1 }],
  });
  await client.until(lenses, (titles) => titles.includes("3: Kernel spec"));
  expect(
    (await client.request("kernelwright/record", { uri, arguments: ["5"] })).specs.map(({ there }) => there),
  ).toEqual(["same"]);
});

test("a check whose recording is gone names the program that brings it back", async () => {
  const uri = client.uri("scale.cu");
  rmSync(join(sessionsFolder, "recordings"), { recursive: true });
  const lost = (request: Promise<unknown>): Promise<void> =>
    expect(request).rejects.toMatchObject({
      message: expect.stringContaining("the recording of x is not on this machine") as unknown,
      data: { code: "spec-invalid", recordAgain: { uri, arguments: ["5"], compileOptions: [] } },
    });
  await lost(client.request("kernelwright/check", { uri, kernel: "scale" }));
  await lost(client.request("kernelwright/profile", { uri, kernel: "scale" }));
  await client.request("kernelwright/record", { uri, arguments: ["5"] });
  expect(await client.request("kernelwright/check", { uri, kernel: "scale" })).toMatchObject({
    passed: true,
  });
});

/** A race on line 4 with line 5, after a line of output. */
const racing = `#include <cstdio>
__global__ void shift(float* x) {
  __shared__ float tile[64];
  tile[threadIdx.x] = x[threadIdx.x];
  x[threadIdx.x] = tile[(threadIdx.x + 1) % 64];
}
int main() {
  float* x;
  cudaMalloc(&x, 256);
  cudaMemset(x, 0, 256);
  printf("start\\n");
  shift<<<1, 64>>>(x);
  return cudaDeviceSynchronize();
}
`;

test("a program is run with its output as it comes; findings stand on their lines with the other party", async () => {
  writeFileSync(join(folder, "racing.cu"), racing);
  const uri = client.uri("racing.cu");
  let output = "";
  client.connection.onNotification(
    "kernelwright/programOutput",
    ({ run, text }: { readonly run: string; readonly text: string }) => {
      output += `${run}: ${text}`;
    },
  );
  const found = new Promise<Diagnostic[]>((resolve) =>
    client.connection.onNotification("textDocument/publishDiagnostics", (told: PublishDiagnosticsParams) => {
      if (told.uri === uri && told.diagnostics.length > 0) resolve(told.diagnostics);
    }),
  );
  const sanitized = await client.request("kernelwright/runProgram", { uri, mode: "sanitize", run: "7" });
  expect(output).toBe("7: start\n");
  expect(sanitized).toMatchObject({ passed: false, hasRun: true, launches: 1 });
  expect(sanitized.summary).toBe("racing.cu ended with 0 after 1 launch · 1 finding.");
  const [finding, ...more] = await found;
  expect(more).toEqual([]);
  expect({
    line: finding?.range.start.line,
    code: finding?.code,
    related: finding?.relatedInformation?.map(({ location, message }) => [
      location.range.start.line,
      message,
    ]),
  }).toEqual({
    line: 3,
    code: "shared-race",
    related: [
      [4, "the other read"],
      [11, "launched here"],
    ],
  });
  const facts = new Promise<FactsView>((resolve) =>
    client.connection.onNotification("kernelwright/facts", resolve),
  );
  const profiled = await client.request("kernelwright/runProgram", { uri, mode: "profile", run: "8" });
  expect(profiled).toMatchObject({ passed: true, launches: 1 });
  expect(profiled.report).toContain("shift:");
  const { uri: counted, kernel, lines } = await facts;
  expect([counted, kernel, lines.map(({ line }) => line)]).toEqual([uri, "shift", [2, 4, 5, 6]]);
});

test("what the compiler says of a program stands on its lines until it compiles", async () => {
  writeFileSync(join(folder, "unfinished.cu"), "int main() { return nothing; }\n");
  const refused = { uri: client.uri("unfinished.cu"), mode: "run", run: "9" } as const;
  let errors: readonly string[] = [];
  client.connection.onNotification("textDocument/publishDiagnostics", (told: PublishDiagnosticsParams) => {
    if (told.uri === refused.uri)
      errors = told.diagnostics.map(
        ({ range, message, source }) => `${source} ${range.start.line}: ${String(message)}`,
      );
  });
  // It lacks no arguments: none could help.
  expect(await client.request("kernelwright/runProgram", refused)).toMatchObject({
    ...{ passed: false, hasRun: false, launches: 0 },
    summary: "unfinished.cu does not compile.",
  });
  expect(errors).toEqual(['nvcc 0: identifier "nothing" is undefined']);
  writeFileSync(join(folder, "unfinished.cu"), "int main() { return 0; }\n");
  expect(await client.request("kernelwright/runProgram", refused)).toMatchObject({ passed: true });
  expect(errors).toEqual([]);
});

/** A spec whose output is shorter than what the kernel writes. */
const short = {
  version: 1,
  kernel: "scale.cu::scale",
  launch: { grid: ["ceil_div(n, 128)"], block: [128], arguments: ["x", { value: "n", dtype: "int32" }] },
  inputs: { x: { dtype: "float32", shape: ["n - 24"] } },
  outputs: { x: { dtype: "float32", shape: ["n - 24"] } },
  shapes: [{ sizes: { n: 5000 } }, { sizes: { n: 1000 } }],
  reference: "baseline",
};

test("a preview runs a spec as it stands in the editor once and says what is launched and touched", async () => {
  await client.open("short.kernel.json", JSON.stringify(short));
  const { passed, summary, detail } = await client.request("kernelwright/preview", {
    uri: client.uri("short.kernel.json"),
  });
  expect(passed).toBe(false);
  expect(summary).toMatch(
    /^scale at n=1000: grid 8 × 1 × 1, block 128 × 1 × 1; goes beyond x; faulted: scale\.cu:5: out of bounds: .*$/,
  );
  expect(detail).toContain("| `x` | 976 (goes beyond it) | 0 to 999 | 0 to 999 |");
});
