import type { KernelParams, ProfileRefusal } from "../../../server/protocol/requests";
import type {
  CheckResult,
  LineFactsView,
  SessionView,
  WorkspaceKernelView,
} from "../../../server/protocol/views";
import { t } from "../../webview/common/localized";
import { withoutShare } from "../facts/fitted-text";
import { escapeMarkdown } from "../markdown";
import { runDescription } from "../sessions/session-words";

/** A piece of an answer, in the order in which it is shown. */
type AnswerPart =
  | { readonly markdown: string }
  /** A link to a line of the kernel's file, one-based. */
  | { readonly line: number }
  | { readonly title: string; readonly command: `kernelwright.${string}`; readonly argument: object };

/** What can be asked next. */
export interface FollowUp {
  readonly command: string;
  readonly label: string;
}

export interface Answer {
  readonly parts: readonly AnswerPart[];
  readonly followUps: readonly FollowUp[];
}

/** What is known of a kernel when it is asked about. */
export interface KnownKernel {
  readonly kernel: KernelParams;
  /** Where the counts come from; undefined before anything was counted. */
  readonly origin: string | undefined;
  readonly lines: readonly LineFactsView[];
  /** The file was edited since. */
  readonly isStale: boolean;
  readonly verdict: WorkspaceKernelView["verdict"];
}

/** Lines of an answer about a whole kernel. */
const mostLines = 5;

/** What was counted: of one line where one is named, else of the lines that cost most. */
export function explain(known: KnownKernel, line: number | undefined): Answer {
  const { kernel, origin } = known;
  if (origin === undefined)
    return {
      parts: [
        {
          markdown: t(
            "Nothing was counted for {0} yet. Profile it: then each line has its counters.",
            code(kernel.kernel),
          ),
        },
        button(t("Profile"), "kernelwright.profile", kernel),
      ],
      followUps: [{ command: "profile", label: t("Profile it") }],
    };
  const about = line === undefined ? costliest(known) : ofLine(known, line);
  return {
    parts: [
      ...verdictPart(known),
      ...about,
      { markdown: `\n\n${staleWords(known)}${escapeMarkdown(origin)}\n` },
      button(t("Show Performance"), "kernelwright.showPerformance", kernel),
      button(t("Show Machine Code"), "kernelwright.showMachineCode", kernel),
    ],
    followUps: [
      { command: "check", label: t("Is it correct?") },
      { command: "optimize", label: t("Optimize it") },
    ],
  };
}

function costliest({ kernel, lines }: KnownKernel): readonly AnswerPart[] {
  const shown = [...lines].sort((a, b) => b.share - a.share).slice(0, mostLines);
  if (shown.length === 0)
    return [
      { markdown: t("No line of {0} has counts that belong to its present text.", code(kernel.kernel)) },
    ];
  return [
    { markdown: `${t("Where {0} spends its modelled cost:", code(kernel.kernel))}\n\n` },
    ...shown.flatMap((fact): AnswerPart[] => {
      const text = withoutShare(fact.text);
      return [
        { markdown: "- " },
        { line: fact.line },
        { markdown: `: ${percent(fact.share)}${text === "" ? "" : ` · ${escapeMarkdown(text)}`}\n` },
      ];
    }),
  ];
}

function ofLine({ lines }: KnownKernel, line: number): readonly AnswerPart[] {
  const fact = lines.find((each) => each.line === line);
  if (fact === undefined) return [{ line }, { markdown: t(": no cost was counted on this line.") }];
  return [
    { line },
    { markdown: `${t(": {0} of the modelled cost.", percent(fact.share))}\n\n${fact.detail}` },
  ];
}

function verdictPart({ verdict }: KnownKernel): readonly AnswerPart[] {
  if (verdict === null) return [];
  const when = verdict.isStale ? `${t("Before your edits:")} ` : "";
  return [{ markdown: `${when}${escapeMarkdown(verdict.text)}\n\n` }];
}

function staleWords({ isStale }: KnownKernel): string {
  return isStale ? `${t("You have edited the file since it was counted; edited lines are left out.")} ` : "";
}

/** What a check found, with the lines at fault. */
export function checked(kernel: KernelParams, result: CheckResult): Answer {
  const failures = result.shapes.filter(({ failure }) => failure !== null);
  return {
    parts: [
      { markdown: `${escapeMarkdown(result.summary)}\n\n` },
      ...failures.flatMap(({ name, failure, place }): AnswerPart[] => [
        { markdown: `- ${escapeMarkdown(`${name}: ${failure}`)}` },
        ...(place?.uri === kernel.uri ? [{ markdown: " · " }, { line: place.line }] : []),
        { markdown: "\n" },
      ]),
      ...result.unknowns.map((unknown) => ({
        markdown: `- ${t("assumed: {0}", escapeMarkdown(unknown))}\n`,
      })),
      ...(result.unknowns.length > 0 ? [button(t("Set Up Kernel"), "kernelwright.createSpec", kernel)] : []),
    ],
    followUps: [{ command: "explain", label: t("What does it cost?") }],
  };
}

/** Why there are no counts, and the one thing to do. */
export function notProfiled(
  kernel: KernelParams,
  summary: string,
  { isGuess, place }: ProfileRefusal,
): Answer {
  const isHere = !isGuess && place?.uri === kernel.uri;
  return plainAnswer(
    `${escapeMarkdown(summary)}\n\n`,
    ...(isHere ? [{ line: place.line }] : []),
    ...(isGuess ? [button(t("Set Up Kernel"), "kernelwright.createSpec", kernel)] : []),
  );
}

/** How the runs stand; `now` in milliseconds. */
export function statusOf(
  kernel: KernelParams | undefined,
  runs: readonly SessionView[],
  now: number,
): Answer {
  if (runs.length === 0)
    return {
      parts: [
        {
          markdown:
            kernel === undefined
              ? t("Nothing is running.")
              : t("No session of {0} in this window.", code(kernel.kernel)),
        },
        ...(kernel === undefined ? [] : [button(t("Optimize"), "kernelwright.optimize", kernel)]),
      ],
      followUps: [],
    };
  return {
    parts: runs.flatMap((run) => [
      { markdown: `${code(run.kernel)}: ${escapeMarkdown(runDescription(run, now))}\n\n` },
      ...nextWords(run),
      ...runButtons(run),
    ]),
    followUps: runs.some(({ status }) => status === "running")
      ? [{ command: "stop", label: t("Stop the run") }]
      : [],
  };
}

function nextWords({ next }: SessionView): readonly AnswerPart[] {
  if (next === undefined) return [];
  const rows = [next.tried, next.headroom, ...next.moves.map(({ text }) => `- ${text}`)].filter(Boolean);
  return [
    {
      markdown: `${rows.map((row) => row.replace(/^(- )?(.*)$/s, (_, dash = "", text: string) => `${dash}${escapeMarkdown(text)}`)).join("\n")}\n\n`,
    },
  ];
}

function runButtons({ sessionId, status, paused, hasProposal }: SessionView): readonly AnswerPart[] {
  const of = { sessionId };
  if (status !== "running")
    return hasProposal ? [button(t("Review Proposal"), "kernelwright.reviewProposal", of)] : [];
  return [
    paused
      ? button(t("Continue"), "kernelwright.continue", of)
      : button(t("Pause"), "kernelwright.pause", of),
    button(t("Raise Budget"), "kernelwright.raiseBudget", of),
    button(t("Listen"), "kernelwright.listen", of),
  ];
}

/** Words without buttons. */
export function plainAnswer(markdown: string, ...more: readonly AnswerPart[]): Answer {
  return { parts: [{ markdown }, ...more], followUps: [] };
}

/** The words went to the run's model. */
export function told(run: SessionView): Answer {
  return {
    parts: [{ markdown: t("The model that optimizes {0} reads it before its next turn.", code(run.kernel)) }],
    followUps: [{ command: "status", label: t("How is it going?") }],
  };
}

/** There is no run that the words could go to. */
export function nobodyToTell(kernel: KernelParams | undefined): Answer {
  const words = t(
    "Nothing is running that this could be told to. Write `/optimize` before it to start a run with it, or ask a question to get what was counted.",
  );
  return kernel === undefined
    ? plainAnswer(words)
    : plainAnswer(words, button(t("Optimize"), "kernelwright.optimize", kernel));
}

function button(title: string, command: `kernelwright.${string}`, argument: object): AnswerPart {
  return { title, command, argument };
}

function code(name: string): string {
  return `\`${name.replaceAll("`", "")}\``;
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
