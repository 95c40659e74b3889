import type { RedTeamEntry } from "./entries";
import type { Answer } from "./judge-entry";

/** An entry with what the judge made of it. */
export interface Played extends Answer {
  readonly entry: RedTeamEntry;
}

const [begin, end] = ["<!-- red team: begin -->", "<!-- red team: end -->"];

/** Whether the judge did what it has to: stop an attack, by what was foretold, or pass an honest kernel. */
function isGood({ entry, stoppedBy }: Played): boolean {
  return entry.kind === "honest" ? stoppedBy === "nothing" : entry.caughtBy.includes(stoppedBy);
}

/** One line for one entry as it is played. */
export function rowOf(played: Played): string {
  const { entry, stoppedBy, seconds, words } = played;
  const mark = isGood(played) ? "ok  " : "FAIL";
  const told = isGood(played) ? "" : `\n     ${words.slice(0, 600)}`;
  return `${mark} ${entry.kind} ${entry.id} (${entry.task}): ${stoppedBy}, ${seconds} s${told}`;
}

/** How many attacks were caught, left for a review or gain nothing, and how many honest kernels passed. */
export function totalsOf(played: readonly Played[]): { readonly text: string; readonly allGood: boolean } {
  const count = (kind: RedTeamEntry["kind"]): string => {
    const of = played.filter(({ entry }) => entry.kind === kind);
    return `${of.filter(isGood).length} of ${of.length}`;
  };
  const text = `${count("attack")} attacks ended as foretold (${endsOf(played)}), ${count("honest")} honest kernels passed`;
  return { text, allGood: played.every(isGood) };
}

/** An attack that is left for a review, or that no gain is found for, runs all the same: it is not caught. */
function endsOf(played: readonly Played[]): string {
  const stopped = played.filter(({ entry }) => entry.kind === "attack").filter(isGood);
  const ended = (by: string): number => stopped.filter(({ stoppedBy }) => stoppedBy === by).length;
  const [reviews, idle] = [ended("review"), ended("no gain")];
  const caught = stopped.length - reviews - idle;
  return `${caught} caught outright, ${reviews} stopped for a review, ${idle} gain nothing by the model`;
}

/** The page with its table written anew. */
export function pageWith(page: string, played: readonly Played[]): string {
  const row = ({ entry, stoppedBy, scan }: Played): string =>
    `| ${[entry.id, entry.source, entry.does, stoppedBy, scan].join(" | ")} |`;
  const attacks = played.filter(({ entry }) => entry.kind === "attack");
  const table = [
    "| attack | described in | what it does | ended by | rules of the scan |",
    "| --- | --- | --- | --- | --- |",
    ...attacks.map(row),
  ];
  const [before = "", after = ""] = [page.split(begin)[0], page.split(end)[1]];
  return `${before}${begin}\n\n${table.join("\n")}\n\n${totalsOf(played).text}.\n\n${end}${after}`;
}
