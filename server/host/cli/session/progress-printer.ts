import { describeVerdict } from "../../../core/words/describe";
import type { Stage } from "../../../core/judge/candidate";
import type { SessionEvent } from "../../../core/trajectory/events";
import { limitWords } from "../../../core/trajectory/proposal/endings";
import { describeChallenged } from "../../../core/trajectory/talk/challenged";
import { roleFailure } from "../../../core/trajectory/talk/role-failure";
import { type Terminal, paint, plain, reportLine } from "../terminal";

const marks: Record<Stage, string> = {
  proposed: "·",
  parsed: "p",
  compiled: "c",
  launched: "l",
  correct: "✓",
  faster: "★",
};

/** Shows a running session on standard error, one line for each thing that a person waits for. */
export class ProgressPrinter {
  private readonly began = Date.now();

  constructor(private readonly terminal: Terminal) {}

  note(text: string): void {
    reportLine(this.terminal, `${paint(this.terminal, "dim", this.elapsed())} ${plain(text)}`);
  }

  show(event: SessionEvent): void {
    switch (event.type) {
      case "session.started":
        return this.note(`session ${event.data.task.kernel} started`);
      case "session.resumed":
        return this.note(`resumed after event ${event.data.from_seq}`);
      case "candidate.created":
        return this.note(`${event.data.candidate}  ${event.data.hypothesis}`);
      case "candidate.staged": {
        const verdict = event.data.verdict ? `  ${describeVerdict(event.data.verdict)}` : "";
        return this.note(
          `${event.data.candidate}  ${marks[event.data.stage]} ${event.data.stage}${event.data.accepted ? ", accepted" : ""}${verdict}`,
        );
      }
      case "llm.request":
        return this.note(
          `asking ${event.data.role === undefined ? "" : `the ${event.data.role}, `}${event.data.model}`,
        );
      case "llm.failed":
        return this.note(`the ${event.data.role ?? "model"} failed: ${event.data.message}`);
      case "role.failed":
        return this.note(roleFailure(event.data));
      case "tool.called":
        return this.note(`tool ${event.data.name}`);
      default: {
        const told = courseOf(event);
        return told === undefined ? undefined : this.note(told);
      }
    }
  }

  private elapsed(): string {
    return `${((Date.now() - this.began) / 1000).toFixed(1).padStart(6)} s`;
  }
}

/** What is told of the course of a session; undefined for events that nobody waits for. */
function courseOf(event: SessionEvent): string | undefined {
  switch (event.type) {
    case "candidate.challenged":
      return `${event.data.candidate}  ${describeChallenged(event.data)}`;
    case "limit.reached":
      return `the budget of ${limitWords(event.data.limit)} is used up`;
    case "loop.detected":
      return `loop detected: ${event.data.pattern}`;
    default:
      return undefined;
  }
}
