import type { TritonModel } from "../../../../language/triton/model";
import { editedTree, type TextEdit } from "../../edits";
import type { RuleInput } from "../../rule";
import { chainSpelling } from "./chain";
import { configurationWrittenOut, heuristicsWrittenOut } from "./decorators";
import { functionsWrittenOut } from "./device-functions";
import { eachLaunchApart } from "./each-launch";
import { guardsAsMasks } from "./guards";
import { keywordsWrittenOut } from "./keywords";
import { moved } from "./moved";
import { viewsAsTensors } from "./plain-views";
import { readSource } from "./read";
import { stridesWrittenOut } from "./strides";
import { tuplesWrittenOut } from "./tuples";

/**
 * The spellings in which rules read a kernel beside its own: with what decorators compute written out, with
 * strides by name, a chain of launches as one function, and what the kernel calls written out.
 */
export function tritonSpellings(input: RuleInput): readonly RuleInput[] {
  const found: RuleInput[] = [];
  const spellings = [
    eachLaunchApart,
    (plain: RuleInput) => edited(plain, configurationWrittenOut),
    (plain: RuleInput) => edited(plain, heuristicsWrittenOut),
    (plain: RuleInput) => edited(plain, keywordsWrittenOut),
    (plain: RuleInput) => edited(plain, stridesWrittenOut),
    (plain: RuleInput) => edited(plain, tuplesWrittenOut),
    (plain: RuleInput) => edited(plain, viewsAsTensors),
    (plain: RuleInput) => edited(plain, guardsAsMasks),
    chainSpelling,
    eachLaunchApart,
    functionsWrittenOut,
  ];
  for (const spell of spellings) {
    const next = spell(found.at(-1) ?? input);
    if (next !== undefined) found.push(next);
  }
  return found;
}

/** The file with edits that mean the same; undefined where there are none. */
function edited(
  input: RuleInput,
  editsFor: (model: TritonModel, kernel: string, source: string) => readonly TextEdit[] | undefined,
): RuleInput | undefined {
  const read = readSource(input);
  const edits = read && editsFor(read.model, input.kernel, read.source);
  if (read === undefined || edits === undefined) return undefined;
  return { ...input, tree: editedTree(input, edits), counters: moved(input, read.source, edits) };
}
