import { editedTree } from "../../../edits";
import type { RuleInput } from "../../../rule";
import { moved } from "../moved";
import { chainOfMost, placedAtEnd, readSource } from "../read";
import { namesOnce } from "./names-once";
import { asKernel, torchWork } from "./work";

/** More operations than a function has that anyone reads. */
const MOST = 12;

/** What torch does by elements beside the kernel's launch, as kernels and launches. */
export function torchAsKernels(input: RuleInput): RuleInput {
  const named = namedOnce(input);
  const worked = workedByElements(named);
  return worked === named ? input : worked;
}

/** The function of most launches with a name for each of its values. */
function namedOnce(input: RuleInput): RuleInput {
  const read = readSource(input);
  const host = read && chainOfMost(input, read.model);
  const edits = read && host && namesOnce(read.source, host);
  if (read === undefined || edits === undefined || edits.length === 0) return input;
  return { ...input, tree: editedTree(input, edits), counters: moved(input, read.source, edits) };
}

function workedByElements(input: RuleInput): RuleInput {
  let plain = input;
  for (let place = 0; place < MOST; place += 1) {
    const read = readSource(plain);
    const host = read && chainOfMost(plain, read.model);
    if (read === undefined || host === undefined || !hasUsualNames(read.source)) break;
    const work = torchWork(plain, read.model, host);
    if (work === undefined) break;
    const made = asKernel(read.source, host, work);
    const edits = [...made.edits, placedAtEnd(read, [made.kernel])];
    plain = { ...plain, tree: editedTree(plain, edits), counters: moved(plain, read.source, edits) };
  }
  return plain;
}

/** The kernels that are written out use these. */
function hasUsualNames(source: string): boolean {
  const modules = /^import (?:torch|triton)(?:, (?:torch|triton))*$/m;
  return modules.test(source) && /\btorch\b/.test(source) && /^import triton\.language as tl$/m.test(source);
}
