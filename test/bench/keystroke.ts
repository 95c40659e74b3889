import {
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { inRepository } from "../../server/setup/support/layout.mjs";
import { launch } from "../../server/setup/support/processes.mjs";
import { type Bench, quantile, rounded } from "./bench";

/** Length of the file that is edited. */
const LINES = 6_000;

/** Characters typed. */
const KEYSTROKES = 40;

const URI = "file:///bench/large.cu";

/** One kernel of the file, 20 lines. */
function kernelText(index: number): string {
  const body = Array.from(
    { length: 14 },
    (_, step) => `  value = value * ${step + 1}.5f + input[(i + ${step}) % n];`,
  );
  return [
    `template <int kWidth>`,
    `__global__ void __launch_bounds__(256) kernel_${index}(const float* input, float* output, int n) {`,
    `  int i = blockIdx.x * blockDim.x + threadIdx.x;`,
    `  float value = 0.0f;`,
    ...body,
    `  if (i < n) output[i] = value;`,
    `}`,
  ].join("\n");
}

/** Types characters into the middle of the file and asks for the symbols after each, as an editor does. */
async function typeInto(connection: ProtocolConnection): Promise<number[]> {
  const text = Array.from({ length: LINES / 20 }, (_, index) => kernelText(index)).join("\n");
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: "file:///bench",
    capabilities: {},
  });
  await connection.sendNotification("initialized", {});
  await connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri: URI, languageId: "cuda-cpp", version: 1, text },
  });
  await connection.sendRequest("textDocument/documentSymbol", { textDocument: { uri: URI } });
  const times: number[] = [];
  for (let version = 2; version < KEYSTROKES + 2; version += 1) {
    const position = { line: LINES / 2 + 3, character: 2 };
    const started = performance.now();
    await connection.sendNotification("textDocument/didChange", {
      textDocument: { uri: URI, version },
      contentChanges: [{ range: { start: position, end: position }, text: "x" }],
    });
    await connection.sendRequest("textDocument/documentSymbol", { textDocument: { uri: URI } });
    times.push(performance.now() - started);
  }
  return times;
}

/** How long the language server takes for one keystroke in a large file: change told to symbols answered. */
export const keystrokeBench: Bench = {
  name: "keystroke",
  run: async () => {
    const server = launch(process.execPath, [inRepository("dist", "server.js"), "--stdio"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    if (!server.stdin || !server.stdout) throw new Error("the language server has no standard streams");
    const connection = createProtocolConnection(
      new StreamMessageReader(server.stdout),
      new StreamMessageWriter(server.stdin),
    );
    const ended = new Promise<never>((_resolve, reject) =>
      server.once("exit", (code) => reject(new Error(`the language server ended with ${code}`))),
    );
    connection.listen();
    try {
      const times = await Promise.race([typeInto(connection), ended]);
      return [
        {
          metric: `language server, one keystroke in ${LINES} lines of CUDA, median`,
          value: rounded(quantile(times, 0.5)),
          unit: "ms",
        },
        { metric: "the same, 95 of 100 keystrokes", value: rounded(quantile(times, 0.95)), unit: "ms" },
      ];
    } finally {
      ended.catch(() => undefined);
      connection.dispose();
      server.kill("SIGTERM");
    }
  },
};
