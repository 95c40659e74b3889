import { type FileMemory, fileParts, ofParts } from "../../language/cuda/definitions";
import { launchCalls, mayLaunch } from "../../language/cuda/launches";
import { enclosing, rangeOf } from "../../language/query";
import type { SyntaxNode } from "../../language/tree";
import { findingMoved, type LintFinding } from "../lint";

/** What asks for the error of a launch, in the runtime and in the macros that projects make of it. */
const asks = /cuda(?:GetLast|PeekAtLast)Error|LAUNCH_CHECK|LAST_?ERR|KERNEL_CHECK|CHECK_KERNEL|CHECK_LAUNCH/i;

interface Launch {
  readonly call: SyntaxNode;
  readonly kernel: string;
  readonly host: SyntaxNode;
}

/** The last launch of a host function after which nothing asks for errors: one question serves all before. */
export function uncheckedLaunches(
  root: SyntaxNode,
  memory: FileMemory<readonly LintFinding[]>,
): readonly LintFinding[] {
  const prints = /#[ \t]*include[ \t]*[<"](?:c?stdio|stdio\.h|iostream)/.test(root.text);
  const parts = fileParts(root).filter(mayLaunch);
  const all = ofParts(parts, { memory, context: String(prints) }, (part) => uncheckedIn(part, prints));
  return all.flatMap(({ found, lines }) => found.map((finding) => findingMoved(finding, lines)));
}

function uncheckedIn(part: SyntaxNode, prints: boolean): readonly LintFinding[] {
  const latest = new Map<number, Launch>();
  for (const { call, kernel } of launchCalls(part)) {
    const host = enclosing(call, "function_definition");
    if (host !== undefined) latest.set(host.id, { call, kernel, host });
  }
  const unchecked = [...latest.values()].filter(
    ({ call, host }) => !asks.test(host.text.slice(call.endIndex - host.startIndex)),
  );
  return unchecked.map((launch) => findingOf(launch, prints));
}

function findingOf({ call, kernel }: Launch, prints: boolean): LintFinding {
  const finding = { id: "unchecked-launch", range: rangeOf(call), blanks: { kernel } };
  const statement = enclosing(call, "expression_statement");
  if (statement?.parent?.type !== "compound_statement" || !prints) return finding;
  const { end } = rangeOf(statement);
  const indent = " ".repeat(statement.startPosition.column);
  const text = [
    "",
    `${indent}if (const cudaError_t failed = cudaGetLastError(); failed != cudaSuccess)`,
    `${indent}  fprintf(stderr, "${kernel}: %s\\n", cudaGetErrorString(failed));`,
  ].join("\n");
  const edits = [{ range: { start: end, end }, text }];
  return { ...finding, fix: { title: "Ask for errors of the launch", edits } };
}
