import { candidateHead } from "../../words/names/names";
import { outcomeWords } from "../proposal/outcome-words";
import { wholeVerdicts } from "../proposal/whole-verdicts";
import type { Verdict } from "../../judge/verdict";
import { OperationalError } from "../../base/operational-error";
import { reduceSession } from "../reduce";
import { baselineId, type SessionState } from "../state";
import { patchOf, verdictSentence } from "./content";
import type { Exporter, ExportInput } from "./exporter";
import { conversationSection } from "./markdown-conversation";
import {
  candidatesSection,
  countersSection,
  judgedSection,
  nextSection,
  rulesSection,
} from "./markdown-evidence";
import { factsTable } from "./markdown-facts";
import { code, fence, inline, table } from "./markdown-text";

/** A report for people: what was asked, what came out, and what that is based on. */
export const markdownExporter: Exporter = {
  id: "markdown",
  title: "Markdown",
  description: "A report for people.",
  extension: "md",
  write: writeReport,
  check: (text) =>
    text.includes("\n## What this is based on\n") ? [] : ["report: the section on evidence is missing"],
};

async function writeReport(input: ExportInput): Promise<string> {
  if (input.events.length === 0) {
    throw new OperationalError("session-damaged", {
      forUser: `Session ${input.sessionId} holds no event, so there is nothing to export.`,
      forModel: "The session holds no event.",
    });
  }
  const state = reduceSession(input.events);
  const clean = input.clean;
  const best = wholeVerdicts(input.events).get(state.best ?? "");
  const parts: readonly (() => string | Promise<string>)[] = [
    () => heading(state, clean),
    () =>
      input.damaged === undefined
        ? ""
        : `> **Warning:** the log was found damaged: ${inline(clean(input.damaged))}. What follows the damage may not be what happened.`,
    () => factsTable(input, state),
    () => verdictSection(state, best, clean),
    () => nextSection(state, clean),
    () => candidatesSection(state, clean),
    () => rulesSection(state, clean),
    () => countersSection(state, clean),
    () => changesSection(input, state),
    () => judgedSection(best, clean),
    () => conversationSection(input),
    () => notesSection(input),
    () => basisSection(input, state, best),
  ];
  const sections: string[] = [];
  for (const part of parts) sections.push(await part());
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function notesSection({ annotations, clean }: ExportInput): string {
  if (annotations.length === 0) return "";
  const rows = annotations.map(({ seq, tag, note }) => [
    String(seq),
    inline(clean(tag)),
    inline(clean(note)),
  ]);
  return `## Notes of readers\n\n${table(["Event", "Tag", "Note"], rows)}`;
}

function heading(state: SessionState, clean: (text: string) => string): string {
  const task = state.task;
  return task
    ? `# ${code(clean(task.kernel))} in ${code(clean(task.file))}: ${outcomeWords(state)}`
    : "# A session without a task";
}

function verdictSection(
  state: SessionState,
  verdict: Verdict | undefined,
  clean: (text: string) => string,
): string {
  const best = state.candidates.find((candidate) => candidate.id === state.best);
  if (!best || best.id === baselineId)
    return "## Verdict\n\nNo candidate was selected; the workspace is as it was.";
  const lines = [
    `${inline(clean(candidateHead(best.id)))}: ${inline(clean(best.hypothesis))}`,
    inline(clean(verdictSentence(verdict ?? null))),
  ];
  return `## Verdict\n\n${lines.join("\n\n")}`;
}

async function changesSection(input: ExportInput, state: SessionState): Promise<string> {
  const patch = await patchOf(input, state);
  if (patch === undefined || patch === "") return "";
  const decisions =
    state.proposal?.hunks.map((hunk) => [
      code(hunk.id),
      code(input.clean(hunk.file)),
      String(hunk.baseStart),
      hunk.decision,
    ]) ?? [];
  const decided =
    decisions.length === 0 ? "" : `\n\n${table(["Hunk", "File", "Line", "Decision"], decisions)}`;
  return `## Changes\n\n${fence(input.clean(patch), "diff")}${decided}`;
}

function basisSection(input: ExportInput, state: SessionState, best: Verdict | undefined): string {
  const evidence = best?.kind === "correct" ? best.evidence : undefined;
  const rows: (readonly [string, string])[] = [
    ["Session", code(input.sessionId)],
    ["Written by", inline(`Kernelwright ${state.productVersion || input.productVersion}`)],
    ["Events", String(input.events.length)],
    ["Hash of the last event", code(input.head)],
    ...(evidence
      ? ([
          ["Source digest", code(evidence.sourceDigest)],
          ["Spec digest", code(evidence.specDigest)],
          ["Target", code(evidence.target)],
        ] as const)
      : []),
    ...(state.unread.length > 0
      ? ([["Events that could not be read", state.unread.join(", ")]] as const)
      : []),
    ...(state.recoveries > 0 ? ([["Recovered after a crash", `${state.recoveries} times`]] as const) : []),
  ];
  const closing =
    "A claim in this report holds for exactly this source, spec and target; when one of them changes it has to be judged anew. Counters were counted by the virtual GPU, bounds are modelled from them, and no time was measured.";
  return `## What this is based on\n\n${table(["", ""], rows)}\n\n${closing}`;
}
