import { known } from "../../../base/known";
import { isNot, type RuleInput } from "../rule";
import type { CountedCause } from "../causes";
import { causeWords, fillSentence } from "../rule-table";
import { cudaKernel, type KernelView } from "../cuda/kernel";
import { accessDiagnoses } from "./access/index";
import { doubleArithmetic, integerDivision, slowMath, wideIndices } from "./arithmetic";
import { needlessBarriers, treeBarriers } from "./barriers";
import { diagnosisEntries } from "./entry";
import { divergence, loadImbalance, serialThread } from "./lanes";
import { lowOccupancy, smallBlocks, smallGrid } from "./launch";
import { launchesDiagnoses } from "./hosts/index";
import { type Diagnosis, measuredOf } from "./measured";
import { missingTensorCores, smallProductTile, smallTile } from "./products";
import { valuesDiagnoses } from "./values/index";

/** By the identifiers of diagnoses.json. */
const diagnoses: Readonly<Record<string, Diagnosis>> = {
  ...accessDiagnoses,
  "double-arithmetic": doubleArithmetic,
  "integer-division": integerDivision,
  "wide-indices": wideIndices,
  "slow-math": slowMath,
  ...valuesDiagnoses,
  divergence,
  "load-imbalance": loadImbalance,
  "serial-thread": serialThread,
  "small-grid": smallGrid,
  "small-blocks": smallBlocks,
  "low-occupancy": lowOccupancy,
  "needless-barriers": needlessBarriers,
  "tree-barriers": treeBarriers,
  "missing-tensor-cores": missingTensorCores,
  ...launchesDiagnoses,
  "small-tile": smallTile,
  "small-product-tile": smallProductTile,
};

/**
 * What costs time as far as the counters show it, whatever the source looks like: each waste with the
 * fraction of the time that it costs. `plain` is the kernel in its plain spelling.
 */
export function diagnosed(input: RuleInput, plain: RuleInput | undefined): readonly CountedCause[] {
  const view = viewOf(input);
  const measured = measuredOf(input, { view, plain: plain === undefined ? view : viewOf(plain) });
  return diagnosisEntries().flatMap((entry) => {
    const found = known(diagnoses[entry.id], `a diagnosis ${entry.id}`)(measured, entry);
    return found.map(({ line, share, blanks, guessed = false }) => ({
      ...{ cause: entry.cause, words: causeWords(entry.cause), share, line, guessed },
      sentence: fillSentence(entry.sentence, { line, ...blanks }),
    }));
  });
}

function viewOf(input: RuleInput): KernelView | undefined {
  const view = input.dialect === "cuda" ? cudaKernel(input) : undefined;
  return isNot(view) ? undefined : view;
}
