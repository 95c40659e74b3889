import type { BudgetView, EditableFilesResult, OptimizeParams } from "../../../server/protocol/requests";
import type { CatalogueView } from "../../../server/protocol/views";
import type { RunOptions } from "./run-options";

/** What the start sheet shows. */
export interface StartSheet {
  readonly kernel: string;
  readonly catalogue: CatalogueView;
  /** Of the settings; empty when there is none. */
  readonly model: string;
  readonly settings: RunOptions;
  /** What was chosen for this workspace. */
  readonly chosen: Omit<OptimizeParams, "uri" | "kernel">;
  readonly files: EditableFilesResult;
}

export type StartRowKind = "start" | "strategy" | "model" | "target" | "mayTouch" | "budget";

/** A row of the start sheet; its parts are those of the editor's quick pick. */
export interface StartRow {
  /** What choosing it asks for. */
  readonly asks: StartRowKind;
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

/** The rows of the sheet. What the kernel and the strategy leave no choice about has none. */
export function startRows(sheet: StartSheet): readonly StartRow[] {
  return [
    {
      asks: "start",
      label: "$(rocket) Start",
      description: `optimize ${sheet.kernel}`,
      detail: "",
    },
    strategyRow(sheet),
    ...modelRows(sheet),
    targetRow(sheet),
    ...fileRows(sheet),
    {
      asks: "budget",
      label: `$(dashboard) Budget: ${budgetWords(sheet.chosen.budget ?? sheet.settings.budget)}`,
      description: source(sheet.chosen.budget),
      detail: "",
    },
  ];
}

/** `$1 · 10 min · 24 candidates` */
export function budgetWords({ usd, minutes, candidates }: BudgetView): string {
  return `$${usd} · ${minutes} min · ${candidates} ${candidates === 1 ? "candidate" : "candidates"}`;
}

/** What a run was started with, as far as it was chosen for the workspace; empty when nothing was. */
export function startedWith(chosen: StartSheet["chosen"]): string {
  const { strategy, target, mayTouch, budget } = chosen;
  const parts = [
    ...(strategy === undefined ? [] : [`strategy ${strategy}`]),
    ...(target === undefined ? [] : [`target ${target}`]),
    ...(mayTouch === undefined ? [] : [reachWords(mayTouch)]),
    ...(budget === undefined ? [] : [budgetWords(budget)]),
  ];
  return parts.length === 0 ? "" : `Started as remembered for this workspace: ${parts.join(" · ")}`;
}

function reachWords(mayTouch: readonly string[]): string {
  return mayTouch.length === 0
    ? "may change the kernel's file only"
    : `may change ${mayTouch.join(", ")} too`;
}

function strategyRow({ catalogue, settings, chosen }: StartSheet): StartRow {
  const id = chosen.strategy ?? settings.strategy;
  const entry = catalogue.strategies.find((each) => each.id === id);
  return {
    asks: "strategy",
    label: `$(lightbulb) Strategy: ${entry?.title ?? id}`,
    description: source(chosen.strategy),
    detail: entry?.description ?? "",
  };
}

/** Only where the strategy asks one. */
function modelRows({ catalogue, settings, chosen, model }: StartSheet): readonly StartRow[] {
  const id = chosen.strategy ?? settings.strategy;
  if (catalogue.strategies.find((each) => each.id === id)?.needsModel === false) return [];
  return [
    {
      asks: "model",
      label: `$(hubot) Model: ${model === "" ? "none yet" : model}`,
      description: model === "" ? "this strategy needs one" : "from the settings",
      detail: "",
    },
  ];
}

function targetRow({ catalogue, settings, chosen }: StartSheet): StartRow {
  const id = chosen.target ?? settings.target;
  const title = catalogue.targets.find((each) => each.id === id)?.title;
  return {
    asks: "target",
    label: `$(circuit-board) Target: ${title === undefined ? id : `${title}, modelled`}`,
    description: source(chosen.target),
    detail: "",
  };
}

/** Only where there are files besides the kernel's. */
function fileRows({ files, chosen }: StartSheet): readonly StartRow[] {
  if (files.others.length === 0) return [];
  const bySpec = files.others.filter((other) => other.bySpec).map(({ path }) => path);
  const paths = [files.file, ...(chosen.mayTouch ?? bySpec)];
  const origin = bySpec.length > 0 ? "from the kernel's spec" : "the kernel's file only, as usual";
  return [
    {
      asks: "mayTouch",
      label: `$(files) May touch: ${paths.join(", ")}`,
      description: chosen.mayTouch === undefined ? origin : remembered,
      detail: "",
    },
  ];
}

const remembered = "remembered for this workspace";

function source(choice: unknown): string {
  return choice === undefined ? "from the settings" : remembered;
}
