import type { BudgetView, EditableFilesResult, OptimizeParams } from "../../../server/protocol/requests";
import type { CatalogueView } from "../../../server/protocol/views";
import { t } from "../../webview/common/localized";
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
  /** What a model is told before its first turn. */
  readonly messages: readonly string[];
}

export type StartRowKind = "start" | "strategy" | "model" | "target" | "mayTouch" | "budget";

/** A row of the start sheet; its parts are those of the editor's quick pick. */
interface StartRow {
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
      label: `$(rocket) ${t("Start")}`,
      description: t("optimize {0}", sheet.kernel),
      detail: toldWords(sheet),
    },
    strategyRow(sheet),
    ...modelRows(sheet),
    targetRow(sheet),
    ...fileRows(sheet),
    {
      asks: "budget",
      label: `$(dashboard) ${t("Budget: {0}", budgetWords(sheet.chosen.budget ?? sheet.settings.budget, asksModel(sheet)))}`,
      description: source(sheet.chosen.budget),
      detail: "",
    },
  ];
}

/** `$1 · 10 min · 24 candidates`, without the money where none can be spent. */
export function budgetWords(budget: BudgetView, asksAModel = true): string {
  const { usd, minutes, candidates, tokens, gpuMinutes } = budget;
  const most = candidates === 1 ? t("1 candidate") : t("{0} candidates", candidates);
  return [
    ...(asksAModel ? [`$${usd}`] : []),
    t("{0} min", minutes),
    most,
    ...(asksAModel && tokens !== undefined ? [t("{0} tokens", tokens)] : []),
    ...(gpuMinutes === undefined ? [] : [t("{0} min of the GPU", gpuMinutes)]),
  ].join(" · ");
}

/** The messages of the sheet, where its strategy asks a model. */
export function toldMessages(sheet: StartSheet): readonly string[] {
  return asksModel(sheet) ? sheet.messages : [];
}

function toldWords(sheet: StartSheet): string {
  const words = sheet.messages.join(" ");
  if (words === "") return "";
  return asksModel(sheet)
    ? t("The model is told: {0}", words)
    : t("This strategy asks no model. One that does is told: {0}", words);
}

/** A strategy that is not known may ask one. */
function asksModel({ catalogue, settings, chosen }: StartSheet): boolean {
  const id = chosen.strategy ?? settings.strategy;
  return catalogue.strategies.find((each) => each.id === id)?.needsModel !== false;
}

/** What a run was started with, as far as it was chosen for the workspace; empty when nothing was. */
export function startedWith(chosen: StartSheet["chosen"]): string {
  const { strategy, target, mayTouch, budget } = chosen;
  const parts = [
    ...(strategy === undefined ? [] : [t("strategy {0}", strategy)]),
    ...(target === undefined ? [] : [t("target {0}", target)]),
    ...(mayTouch === undefined ? [] : [reachWords(mayTouch)]),
    ...(budget === undefined ? [] : [budgetWords(budget)]),
  ];
  return parts.length === 0 ? "" : t("Started as remembered for this workspace: {0}", parts.join(" · "));
}

function reachWords(mayTouch: readonly string[]): string {
  return mayTouch.length === 0
    ? t("may change the kernel's file only")
    : t("may change {0} too", mayTouch.join(", "));
}

function strategyRow({ catalogue, settings, chosen }: StartSheet): StartRow {
  const id = chosen.strategy ?? settings.strategy;
  const entry = catalogue.strategies.find((each) => each.id === id);
  return {
    asks: "strategy",
    label: `$(lightbulb) ${t("Strategy: {0}", entry?.title ?? id)}`,
    description: source(chosen.strategy),
    detail: entry?.description ?? "",
  };
}

/** Only where the strategy asks one. */
function modelRows(sheet: StartSheet): readonly StartRow[] {
  if (!asksModel(sheet)) return [];
  const { model } = sheet;
  return [
    {
      asks: "model",
      label: `$(hubot) ${t("Model: {0}", model === "" ? t("none yet") : model)}`,
      description: model === "" ? t("this strategy needs one") : t("from the settings"),
      detail: "",
    },
  ];
}

function targetRow({ catalogue, settings, chosen }: StartSheet): StartRow {
  const id = chosen.target ?? settings.target;
  const title = catalogue.targets.find((each) => each.id === id)?.title;
  return {
    asks: "target",
    label: `$(circuit-board) ${t("Target: {0}", title === undefined ? id : t("{0}, modelled", title))}`,
    description: source(chosen.target),
    detail: "",
  };
}

/** Only where there are files besides the kernel's. */
function fileRows({ files, chosen }: StartSheet): readonly StartRow[] {
  if (files.others.length === 0) return [];
  const bySpec = files.others.filter((other) => other.bySpec).map(({ path }) => path);
  const paths = [files.file, ...(chosen.mayTouch ?? bySpec)];
  const origin = bySpec.length > 0 ? t("from the kernel's spec") : t("the kernel's file only, as usual");
  return [
    {
      asks: "mayTouch",
      label: `$(files) ${t("May touch: {0}", paths.join(", "))}`,
      description: chosen.mayTouch === undefined ? origin : remembered(),
      detail: "",
    },
  ];
}

function remembered(): string {
  return t("remembered for this workspace");
}

function source(choice: unknown): string {
  return choice === undefined ? t("from the settings") : remembered();
}
