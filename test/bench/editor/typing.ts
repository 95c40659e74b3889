import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LanguageClient } from "../../harness/language-client";
import { type Measurement, quantile, rounded } from "../bench";
import { against } from "./limits";

const lines = 10_000;
const edits = 1_000;
/** Milliseconds that 95 of 100 keystrokes may take at most. */
const keystrokeGoal = 30;
const file = "large.cu";

/** One kernel of the file, 20 lines. */
function kernelText(index: number): string {
  return [
    `// Kernel ${index} of the file.`,
    `__global__ void __launch_bounds__(256) scale_${index}(const float* input, float* output, int n) {`,
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;",
    "  float value = 0.0f;",
    ...Array.from({ length: 14 }, (_, step) => `  value += ${step + 1}.5f * input[(i + ${step}) % n];`),
    "  if (i < n) output[i] = value;",
    "}",
  ].join("\n");
}

/**
 * Types and takes back letters in the body of a kernel in the middle of a large file, and asks after each
 * for the lenses, which want the file parsed anew. Memory is what the server's process holds, before and
 * after.
 */
export async function typingMeasurements(): Promise<readonly Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), "kernelwright-typing-"));
  const client = await LanguageClient.start({ folder, trusted: false });
  try {
    await client.open(file, Array.from({ length: lines / 20 }, (_, index) => kernelText(index)).join("\n"));
    await lenses(client);
    const before = await memoryOf(client);
    const times: number[] = [];
    for (let edit = 0; edit < edits; edit += 1) times.push(await keystroke(client, edit));
    const after = await memoryOf(client);
    return [
      {
        metric: `one keystroke in ${lines} lines of CUDA to new lenses, median of ${edits}`,
        value: rounded(quantile(times, 0.5)),
        unit: "ms",
      },
      against("the same, 95 of 100", quantile(times, 0.95), keystrokeGoal, "ms"),
      {
        metric: `memory of the server after ${edits} edits`,
        value: rounded(after),
        unit: "MB",
        versus: `the ${rounded(before)} MB before them`,
        ratio: rounded(after / before),
      },
    ];
  } finally {
    await client.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Every second letter is taken back, so that the file stays as long as it is. */
async function keystroke(client: LanguageClient, edit: number): Promise<number> {
  const start = { line: lines / 2 + 4, character: 2 };
  const typed = edit % 2 === 0;
  const end = typed ? start : { ...start, character: start.character + 1 };
  const began = performance.now();
  await client.change(file, { start, end }, typed ? "x" : "");
  await lenses(client);
  return performance.now() - began;
}

function lenses(client: LanguageClient): Promise<unknown> {
  return client.connection.sendRequest("textDocument/codeLens", { textDocument: { uri: client.uri(file) } });
}

/** Resident megabytes of the server's process, as the kernel of the machine counts them. */
async function memoryOf(client: LanguageClient): Promise<number> {
  const status = await readFile(`/proc/${client.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
