import { type AfterSession, afterSession } from "../../../core/trajectory/proposal/after-session";
import type { SessionState } from "../../../core/trajectory/reduce";
import { baselineId } from "../../../core/trajectory/state";
import { heldRuleTexts } from "../../../core/words/rule-text";
import { paint, plain, printLine, type Terminal } from "../terminal";

/** The field `next` of `--json`; null where the log has no end. */
export function nextField(state: SessionState): AfterSession | null {
  return afterSession(state) ?? null;
}

const shownCauses = 2;

/** What the rulebook found wrong with the kernel as it was. */
export function printCauses(terminal: Terminal, { causes, best }: SessionState): void {
  if (causes.length === 0) return;
  const isImproved = best !== undefined && best !== baselineId;
  printLine(terminal, isImproved ? "What cost time in the kernel as it was:" : "What costs time:");
  for (const { words, line, sentence, helps } of causes.slice(0, shownCauses)) {
    printLine(terminal, plain(`  line ${line}: ${words} (${sentence})`));
    if (helps !== undefined)
      printLine(terminal, paint(terminal, "dim", plain(`    what usually helps: ${helps}`)));
  }
}

/** What only the editor has a button for. */
const ofEditor: ReadonlySet<string> = new Set(["review", "test-model", "address", "price"]);

/** What was tried, and what can be done now; how, where a command line does it. */
export function printNext(terminal: Terminal, state: SessionState, sessionId: string): void {
  const after = afterSession(state);
  if (after === undefined) return;
  const { tried, headroom, moves } = after;
  printLine(terminal, plain([tried, headroom].filter((text) => text !== "").join(" ")));
  for (const { kind, text, candidate } of moves) {
    if (ofEditor.has(kind)) continue;
    const from = `--from ${sessionId}${candidate === undefined ? "" : `:${candidate}`}`;
    const how = kind === "resume" ? `kernelwright resume ${sessionId}` : from;
    printLine(
      terminal,
      plain(`next: ${text}${kind === "mend" || (kind === "model" && !candidate) ? "" : ` (${how})`}`),
    );
  }
}

const shownHolds = 3;

/** What holds the rules back that come closest to the kernel. */
export function printHolds(terminal: Terminal, state: SessionState): void {
  const texts = heldRuleTexts(state.heldRules, shownHolds);
  if (texts.length === 0) return;
  printLine(terminal, "What holds rules back:");
  for (const text of texts) printLine(terminal, plain(`  ${text}`));
  printLine(terminal, paint(terminal, "dim", "  --json names every rule"));
}
