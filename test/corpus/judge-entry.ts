import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Ended, startCommand } from "../harness/command-line";
import { type CorpusEntry, corpusFolder } from "../harness/corpus";

/** What the product made of a kernel. */
export type Answer = "correct" | "wrong" | "faulted" | "question" | "failed";

/**
 * How that answer stands against the index. A question is `needless` where the files say enough, and an
 * accusation is `false` where the kernel is right. `missed` is a bug that was called correct.
 */
export type Standing =
  | "as expected"
  | "asked"
  | "needless question"
  | "false accusation"
  | "missed"
  | "failed"
  /** Of a mutant: the verdict or the counters are not those of the kernel that it was made of. */
  | "differs";

/** One kernel of the corpus, checked. */
export interface Judged {
  readonly id: string;
  readonly kind: CorpusEntry["kind"];
  readonly expected: CorpusEntry["verdict"];
  readonly answer: Answer;
  readonly standing: Standing;
  readonly seconds: number;
  /** The product's words: the verdict and what it said of its assumptions. */
  readonly words: string;
  /** Counters of the verdict, for comparisons; absent where the kernel is not correct. */
  readonly counters?: unknown;
}

/** After this long a check is called failed; the slowest on an idle machine takes a fifth of it. */
const LIMIT_MS = 240_000;
/** The same inputs for every spelling: counters may depend on values. */
const SEED = "2611";

const ANSWERS: Readonly<Record<string, Answer>> = {
  correct: "correct",
  wrong: "wrong",
  refused: "question",
};

interface Verdict {
  readonly kind: string;
  readonly reason?: string;
  readonly findings?: readonly unknown[];
  readonly diagnostics?: readonly unknown[];
  readonly cases?: readonly { readonly passed: boolean }[];
  readonly counters?: unknown;
}

/** Checks one kernel in a private copy of its folder, with the command that a user types. */
export async function judgeEntry(entry: CorpusEntry): Promise<Judged> {
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-corpus-"));
  try {
    cpSync(join(corpusFolder, entry.folder), folder, { recursive: true });
    return await judgeFolder(entry, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same in a folder that is there already, and may differ from the corpus. */
export async function judgeFolder(entry: CorpusEntry, folder: string): Promise<Judged> {
  const started = performance.now();
  const command = startCommand(["check", entry.kernel, "--json", "--seed", SEED], { folder });
  const limit = setTimeout(() => {
    command.kill("SIGTERM");
  }, LIMIT_MS);
  const ended = await command.ended;
  clearTimeout(limit);
  const seconds = (performance.now() - started) / 1000;
  const { verdict, guesses = [] } = reportOf(ended);
  const answer = answerOf(ended, verdict, guesses);
  const { id, kind, verdict: expected } = entry;
  return {
    id,
    kind,
    expected,
    answer,
    standing: standingOf(entry, answer),
    seconds: Math.round(seconds * 10) / 10,
    words: wordsOf(ended, verdict),
    ...(verdict?.counters === undefined ? {} : { counters: verdict.counters }),
  };
}

/** What `check --json` prints. */
interface Report {
  readonly verdict?: Verdict;
  /** What a verdict other than `correct` rests on that is a guess. */
  readonly guesses?: readonly string[];
}

function reportOf({ output }: Ended): Report {
  const last = output.trimEnd().split("\n").at(-1) ?? "";
  return last.startsWith("{") ? (JSON.parse(last) as Report) : {};
}

/**
 * Without a verdict, a job that was refused for want of facts or of a kernel is a question. A kernel that did
 * not run has faulted where there are findings; without any it was us who could not launch it. A failure
 * under a guess asks whether the guess is right.
 */
function answerOf(ended: Ended, verdict: Verdict | undefined, guesses: readonly string[]): Answer {
  if (verdict === undefined) return answerWithoutVerdict(ended);
  if (verdict.kind === "did-not-run") return answerOfNoRun(verdict, guesses);
  if (verdict.kind === "wrong" && guesses.length > 0) return "question";
  return ANSWERS[verdict.kind] ?? "failed";
}

function answerWithoutVerdict({ code, errors }: Ended): Answer {
  const isQuestion = /kernel spec|has no kernel|no CUDA or Triton source/.test(errors);
  return code === 3 && isQuestion ? "question" : "failed";
}

function answerOfNoRun({ findings }: Verdict, guesses: readonly string[]): Answer {
  if (findings?.length === 0) return "failed";
  return guesses.length > 0 ? "question" : "faulted";
}

function standingOf(entry: CorpusEntry, answer: Answer): Standing {
  if (answer === entry.verdict) return "as expected";
  if (answer === "failed") return "failed";
  if (answer === "question") return entry.mayAsk === undefined ? "needless question" : "asked";
  if (entry.correct === true) return "false accusation";
  return answer === "correct" ? "missed" : "as expected";
}

function wordsOf({ errors }: Ended, verdict: Verdict | undefined): string {
  const said = errors.trim().replaceAll(/\s*\n\s*/g, " | ");
  if (verdict === undefined || verdict.kind === "correct") return said;
  const { kind, reason, findings, diagnostics, cases } = verdict;
  const bad = cases?.find(({ passed }) => !passed);
  const told = { reason, findings, diagnostics, case: bad };
  return `${kind}: ${JSON.stringify(told).slice(0, 900)} || ${said}`;
}
