import { OperationalError } from "../../base/operational-error";
import { atifExporter } from "./atif";
import type { Exporter, ExportInput, ExportManifest } from "./exporter";
import { markdownExporter } from "./markdown";
import { chromeTraceExporter } from "./trace/chrome-trace";

/**
 * Every format; the first is the default. A new one is a file beside this one and a line here: the command
 * line, the protocol and the editor's menu offer what stands in this list.
 */
export const exporters: readonly Exporter[] = [
  atifExporter("ATIF-v1.8"),
  atifExporter("ATIF-v1.7"),
  markdownExporter,
  chromeTraceExporter,
];

interface Export {
  readonly text: string;
  readonly fileName: string;
  /** What our validator says; empty when the text is valid. */
  readonly problems: readonly string[];
  readonly manifest: ExportManifest;
}

/**
 * Writes a session in a format, and checks what was written. Throws OperationalError `usage` for a format
 * that is not there.
 */
export async function exportSession(input: ExportInput, format: string): Promise<Export> {
  const exporter = exporters.find((candidate) => candidate.id === format);
  if (!exporter) {
    throw new OperationalError("usage", {
      forUser: `There is no export format "${format}". Formats: ${exporters.map((known) => known.id).join(", ")}.`,
    });
  }
  const text = await exporter.write(input);
  const problems = exporter.check(text);
  const fileName = `kernelwright-${input.sessionId}.${exporter.extension}`;
  const manifest: ExportManifest = {
    format: exporter.id,
    product: { name: "kernelwright", version: input.productVersion },
    session: input.sessionId,
    events: input.events.length,
    chain_head: input.head,
    damaged: input.damaged ?? null,
    file: fileName,
    sha256: input.sha256(text),
    problems,
  };
  return { text, fileName, problems, manifest };
}
