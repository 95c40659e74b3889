import type { ProgramResult } from "../../../../core/ports/program-runner";
import { readTarget, requireTrust, type ServerContext } from "../../context";
import { buildOf, programOf } from "../../diagnostics";
import {
  compileDiagnostics,
  runReport,
  runSummary,
  troubleDiagnostics,
} from "../../views/program/convert-program";
import type { Handler } from "../handler";
import { tellProgramFacts } from "./program-facts";

const titles = { run: "Run", sanitize: "Sanitize", profile: "Profile" };

/**
 * Runs a program while the user looks on: its output goes to the client as it comes, what was found to the
 * lines that it is about.
 */
export const runProgram: Handler<"kernelwright/runProgram"> = async (context, params, signal) => {
  requireTrust(context.client, titles[params.mode]);
  const { services, folder, file } = await context.workspaces.placeOf(params.uri);
  const program = params.test === undefined ? file : `${file}::${params.test}`;
  const target = readTarget(context, params.uri);
  const { repeatLimit } = context.client.settings;
  const result = await services.programs.run({
    file: program,
    arguments: params.arguments ?? [],
    target,
    sanitize: params.mode === "sanitize",
    profile: params.mode === "profile",
    ...(repeatLimit === 0 ? {} : { repeatLimit }),
    write: (text) => tellOutput(context, params.run, text),
    signal,
  });
  const { uri } = params;
  const [found, said] =
    result.kind === "ran"
      ? [troubleDiagnostics(result, folder), new Map()]
      : [new Map(), compileDiagnostics(result.text, { folder, uri })];
  context.diagnostics.putAll(programOf(uri, params.mode), found);
  context.diagnostics.putAll(buildOf(uri), said);
  if (params.mode === "profile" && result.kind === "ran")
    await tellProgramFacts(context, result.kernels, { folder, target });
  return {
    summary: runSummary(program, result, params.mode),
    report: runReport(program, result, { mode: params.mode, architecture: target.architecture }),
    passed: isPassed(result),
    hasRun: result.kind === "ran",
    launches: result.kind === "ran" ? result.launches : 0,
  };
};

function tellOutput(context: ServerContext, run: string, text: string): void {
  context.background(
    "program output",
    context.connection.sendNotification("kernelwright/programOutput", { run, text }),
  );
}

function isPassed(result: ProgramResult): boolean {
  return (
    result.kind === "ran" &&
    result.code === 0 &&
    result.findings.length === 0 &&
    result.problems.every(({ kind }) => kind !== "refused" && kind !== "limited")
  );
}
