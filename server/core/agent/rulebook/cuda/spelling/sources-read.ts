import type { RuleHold, RuleInput, RuleProposal } from "../../rule";
import { headersRead } from "./headers/index";
import { launchesApart } from "./launches/index";
import type { ToldOfLine } from "./launches/own-launcher";

interface SourcesRead {
  readonly input: RuleInput;
  /** A rewrite of that source as one of the source that was given. */
  finished(proposal: RuleProposal): RuleProposal | RuleHold;
  /** What is told of a line of that source, as told of one that was given. */
  told<Told extends ToldOfLine>(each: Told): Told;
}

/** The kernel's file as rules read it: launches where they can be changed, and its headers behind it. */
export function sourcesRead(given: RuleInput): SourcesRead {
  const launches = launchesApart(given);
  const headers = given.dialect === "cuda" ? headersRead(launches.input) : undefined;
  if (headers === undefined) return launches;
  return {
    input: headers.input,
    told: (each) => launches.told(headers.told(each)),
    finished: (proposal) => {
      const said = headers.finished(proposal);
      return said.kind === "proposal" ? launches.finished(said) : said;
    },
  };
}
