import { collapse, enclosing, fieldText, isInside, lineOf, partsOf } from "../../../../language/query";
import { termOf } from "../../../../timing/bound";
import { copiesBeside, type DeviceCopy, deviceCopies } from "../../cuda/hosts/device-copies";
import type { KernelView } from "../../cuda/kernel";
import { type DiagnosisEntry, limitIn } from "../entry";
import { type Finding, fraction, type Measured, shareOfTime } from "../measured";
import { loopTypes } from "../places";

/** Copies from buffer to buffer that the function makes which launches the kernel. */
export function copiesWithin(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { view, input } = measured;
  const counted = shareOfTime(measured, termOf(input.bound, "copies"));
  const share = counted > 0 ? counted : estimatedShare(measured);
  if (view === undefined || share < limitIn(entry, "share")) return [];
  const [copy] = counted > 0 ? copiesBeside(view.launches) : copiesInTurns(measured);
  if (copy === undefined) return [];
  const { source, target } = copy;
  return [{ line: lineOf(copy.call), share, blanks: { source, target, value: Math.round(100 * share) } }];
}

/** Copies of what the kernel is handed, in the turns of a loop that also launches it. */
function copiesInTurns({ view }: Measured): readonly DeviceCopy[] {
  return (view?.launches ?? []).flatMap(({ call, host }) => {
    const loop = enclosing(call, ...loopTypes);
    if (loop === undefined || host === undefined || !isInside(loop, host)) return [];
    const given = partsOf(call.childForFieldName("arguments")).map(({ text }) => collapse(text));
    return deviceCopies(loop).filter(
      (copy) => given.includes(copy.source) && given.includes(copy.target) && isInside(copy.call, loop),
    );
  });
}

/**
 * What such copies take of a turn of a whole program, of which the price is that of its kernel alone: what
 * the kernel stores is loaded and stored once more.
 */
function estimatedShare(measured: Measured): number {
  const { globalLoadSectorsIdeal, globalStoreSectorsIdeal: stores, loadReuse } = measured.totals;
  const loads = Math.min(globalLoadSectorsIdeal, loadReuse?.first ?? globalLoadSectorsIdeal);
  const isProgram = measured.input.spec.program !== undefined;
  if (!isProgram || copiesInTurns(measured).length === 0) return 0;
  return fraction(2 * stores, loads + 3 * stores);
}

/** A kernel that only copies from buffer to buffer, in the turns of a loop that launches others as well. */
export function copyingKernel({ view }: Measured): readonly Finding[] {
  const [copied] = view === undefined ? [] : copiesOf(view);
  if (view === undefined || copied === undefined) return [];
  const launch = view.launches.find(({ call, host }) => {
    const loop = enclosing(call, ...loopTypes);
    const launches = loop?.text.split("<<<").length ?? 0;
    return loop !== undefined && host !== undefined && isInside(loop, host) && launches > 2;
  });
  if (launch === undefined) return [];
  const given = partsOf(launch.call.childForFieldName("arguments"));
  const passed = (name: string): string => {
    const place = view.kernel.facts.parameters.findIndex((each) => each.name === name);
    return collapse(given[place]?.text ?? name);
  };
  const [target, source] = copied;
  const blanks = { source: passed(source), target: passed(target), value: 100 };
  return [{ line: lineOf(launch.call), share: 1, blanks }];
}

/** Target and source of each element that a kernel moves to the same place, where it does nothing else. */
function copiesOf({ body, kernel }: KernelView): readonly (readonly [string, string])[] {
  const names = new Set(kernel.facts.parameters.map(({ name }) => name));
  const acts = body.descendantsOfType("assignment_expression");
  const copies = acts.flatMap((act): (readonly [string, string])[] => {
    const [left, right] = ["left", "right"].map((field) => act.childForFieldName(field));
    if (left?.type !== "subscript_expression" || right?.type !== "subscript_expression") return [];
    const isSamePlace = collapse(fieldText(left, "indices")) === collapse(fieldText(right, "indices"));
    const [target, source] = [fieldText(left, "argument"), fieldText(right, "argument")];
    return isSamePlace && names.has(target) && names.has(source) ? [[target, source]] : [];
  });
  const places = body.descendantsOfType("subscript_expression").length;
  return copies.length === acts.length && places === 2 * copies.length ? copies : [];
}
