import { t } from "../../../../core/base/localized";
import { readFile } from "node:fs/promises";
import type { RecordedSpec } from "../../../../protocol/requests";
import type { FoundSpec } from "../../../services/services";
import { toOperational } from "../../../../core/base/operational-error";
import { compilerMessages } from "../../views/program/compiler-messages";
import { readTarget, requireTrust, type ServerContext } from "../../context";
import { buildOf } from "../../diagnostics";
import { pathOfUri } from "../../uris";
import { recordDetail, recordSummary } from "../../views/convert-capture";
import { compileDiagnostics } from "../../views/program/convert-program";
import type { Handler } from "../handler";

/** Runs a program once and gives the specs of the kernels that it launches; the client writes them. */
export const record: Handler<"kernelwright/record"> = async (context, params, signal) => {
  requireTrust(context.client, t`Record`);
  const { services, folder, file } = await context.workspaces.placeOf(params.uri);
  const captured = await services.captures
    .capture({
      file: params.test === undefined ? file : `${file}::${params.test}`,
      arguments: params.arguments ?? [],
      compileOptions: params.compileOptions ?? [],
      target: readTarget(context, params.uri),
      signal,
    })
    .catch((thrown: unknown) => {
      tellCompiler(context, thrown, { folder, uri: params.uri });
      throw thrown;
    });
  context.diagnostics.putAll(buildOf(params.uri), new Map());
  const specs: RecordedSpec[] = [];
  for (const { found, kernel } of captured.workloads) {
    const uri = context.workspaces.uriOf(folder, found.specPath);
    specs.push({ kernel, uri, text: found.text, there: await standing(uri, found) });
  }
  return {
    summary: recordSummary(file, captured),
    detail: recordDetail(file, captured),
    launches: captured.launches,
    specs,
  };
};

/** What a compiler said with a place stands on its line, too. */
function tellCompiler(
  context: ServerContext,
  thrown: unknown,
  program: { readonly folder: string; readonly uri: string },
): void {
  const { code, message } = toOperational(thrown, "tool-failed");
  if (code === "tool-failed" && compilerMessages(message).length > 0)
    context.diagnostics.putAll(buildOf(program.uri), compileDiagnostics(message, program));
}

async function standing(uri: string, { text }: FoundSpec): Promise<RecordedSpec["there"]> {
  const present = await readFile(pathOfUri(uri) ?? "", "utf8").catch(() => undefined);
  if (present === undefined) return "nothing";
  return present === text ? "same" : "other";
}
