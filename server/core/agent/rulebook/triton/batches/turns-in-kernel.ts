import { lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import {
  editedText,
  editedTree,
  freshName,
  indentOf,
  insertBefore,
  replaceNode,
  type TextEdit,
} from "../../edits";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule } from "../../rule-table";
import { isMemberName } from "../fusing/renaming";
import { launchValue, tritonKernel, type TritonView } from "../kernel";
import { libraryOf } from "../spread/dimension";
import { parameterEdit } from "../spread/programs";
import { type BatchLoop, batchLoop, loopsAround, readLoops } from "./batch-loop";
import { type HandedOver, handedOver, isFresh } from "./handed-over";
import { firstStatement, unlooped } from "./host-text";
import { launchedOnce, timesOf } from "./launched-once";
import { ownPlaces } from "./own-places";
import { passedForTurns } from "./passed";

/**
 * Takes the turns of a loop of the host into the kernel, where each turn needs what the one before it has
 * left, and each program only what it has left itself: steps of a recurrence by elements or by rows.
 */
export const turnsInKernel = defineRule("triton-turns-in-kernel", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const loop = loopsAround(view).at(-1);
  if (loop === undefined)
    return not("no-pattern", "the launch stands in no loop of the host", view.launch.call);
  if (!("kind" in batchLoop(view)))
    return not("no-pattern", "no turn of the loop needs another", view.launch.call);
  const times = timesOf(input);
  if (times < 2) return not("no-evidence", "the loop launches the kernel once", view.launch.call);
  const edits = editsFor(view, loop);
  const { gain, evidence } = launchedOnce(input, entry, { line: lineOf(view.launch.call), times });
  if (isNot(edits)) return { ...edits, gain };
  return { kind: "proposal", tree: editedTree(input, edits), hypothesis: entry.hypothesis, evidence, gain };
});

function editsFor(view: TritonView, loop: SyntaxNode): readonly TextEdit[] | RuleHold {
  const { launch, body } = view;
  if (view.tuned) return not("launch", "the autotuner runs the kernel several times", launch.call);
  const handed = handedOver(view, loop);
  const known = handed.flatMap(({ statements }) => statements);
  const batch = readLoops(view, [loop], known);
  if ("kind" in batch) return batch;
  const [leaves] = body.descendantsOfType("return_statement");
  if (leaves !== undefined) return not("no-rewrite", "the kernel may end early", leaves);
  const held = ownPlaces(view, batch, handed);
  return held ?? turnEdits(view, batch, handed);
}

function turnEdits(
  view: TritonView,
  batch: BatchLoop,
  handed: readonly HandedOver[],
): readonly TextEdit[] | RuleHold {
  const { source, launch } = view;
  const [turn] = batch.turns;
  const last = partsOf(launch.call.childForFieldName("arguments")).at(-1);
  if (turn === undefined || last === undefined)
    return not("unreadable", "the launch is not read", launch.call);
  const [number, count] = [freshName(source, "turn"), freshName(source, "n_turns")];
  const names = namesInTurn(view, batch, handed);
  const passed = passedForTurns(view, batch, {
    numberOf: () => number,
    nameOf: (parameter) => names.get(parameter) ?? parameter,
  });
  if (isNot(passed)) return passed;
  const declared = parameterEdit(view, [count, ...passed.strides.map(({ name }) => name)].join(", "));
  if (isNot(declared)) return declared;
  const following = new Set(batch.following.map(({ parameter }) => parameter));
  const kept = [...names].filter(([parameter, name]) => !following.has(parameter) && isOwnName(view, name));
  const lines = [...passed.lines, ...kept.map(([parameter, name]) => `${name} = ${parameter}`)];
  const more = [{ name: count, value: turn.count }, ...passed.strides];
  const given = more.map(({ name, value }) => `, ${name}=${value}`).join("");
  return [
    ...unlooped(view, batch, { dropped: [], edits: [] }),
    ...passed.edits,
    ...handedEdits(view, turn.loop, handed),
    { start: last.endIndex, end: last.endIndex, text: given },
    declared,
    loopedBody(view, names, [`for ${number} in range(${count}):`, lines]),
  ];
}

/** The kernel's own statements in a loop, with what parameters are called there. */
function loopedBody(
  view: TritonView,
  names: ReadonlyMap<string, string>,
  [head, lines]: readonly [string, readonly string[]],
): TextEdit {
  const { source, body } = view;
  const first = firstStatement(view);
  const indent = indentOf(source, first);
  const [start, end] = [first.startIndex, body.endIndex];
  const renamed = [...names].flatMap(([parameter, name]) =>
    usesOf(body, parameter)
      .filter((use) => use.startIndex >= start && !isMemberName(use))
      .map((use) => replaceNode(use, name)),
  );
  const own = editedText(source, { start, end }, renamed);
  const barrier = `${libraryOf(view)}debug_barrier()`;
  const text = [...lines, own.trimEnd(), barrier].join(`\n${indent}`).replaceAll("\n", "\n    ");
  return { start, end, text: `${head}\n${indent}    ${text.replaceAll(/\n +(?=\n)/g, "\n")}` };
}

/**
 * What parameters are called in a turn: those that follow it, those that the kernel changes, and what the
 * turn before has left, by the name of where it left it.
 */
function namesInTurn(
  view: TritonView,
  { following }: BatchLoop,
  handed: readonly HandedOver[],
): ReadonlyMap<string, string> {
  const { parameters, body, source } = view;
  const changed = new Set(
    body
      .descendantsOfType(["assignment", "augmented_assignment"])
      .map((act) => act.childForFieldName("left")?.text),
  );
  const passedAs = (tensor: string): string =>
    parameters.find(({ name }) => launchValue(view, name)?.text === tensor)?.name ?? tensor;
  const names = new Map(handed.map(({ read, written }) => [passedAs(read), passedAs(written)]));
  for (const { name } of parameters) {
    const follows = following.some(({ parameter, same }) => parameter === name && same === undefined);
    if (follows || changed.has(name)) names.set(name, freshName(source, `${name}_now`));
  }
  return names;
}

function isOwnName({ parameters }: TritonView, name: string): boolean {
  return parameters.every((each) => each.name !== name);
}

/** One tensor serves as what a turn reads and what it leaves. */
function handedEdits(
  { launch, host, source }: TritonView,
  loop: SyntaxNode,
  handed: readonly HandedOver[],
): readonly TextEdit[] {
  const indent = indentOf(source, loop);
  const args = launch.call.childForFieldName("arguments") ?? launch.call;
  return handed.flatMap(({ read, written, behind }) => [
    ...(isFresh(host, loop, read) ? [] : [insertBefore(loop, `${read} = ${read}.clone()\n${indent}`)]),
    ...usesOf(args, written)
      .filter((use) => !isMemberName(use))
      .map((use) => replaceNode(use, read)),
    ...behind.map((line) => ({ start: loop.endIndex, end: loop.endIndex, text: `\n${indent}${line}` })),
  ]);
}
