import { at } from "../../../../base/known";
import { formOf } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops, statementsOf } from "../../../../language/cuda/body/loops";
import { changes, isPure, localValues } from "../../../../language/cuda/body/scope";
import { isInside, usesOf } from "../../../../language/query";
import { editedText, freshName, replaceNode, type TextEdit } from "../../edits";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import type { KernelView } from "../kernel";
import { factorOf, gridEdits } from "../launch/grid-edit";
import type { PointSpace } from "../points/point-space";
import { pointLines, tileWalk, walkNames } from "../points/tile-walk";
import { type Crossed, crossedLoads, loadAhead } from "./crossed-loads";

/** Side of the tile: a warp reads a row of it and writes a column. */
const side = 32;

/** The loop that is all of a point's work; undefined where there is none. */
export function loopOfPoint({ statements, axes }: PointSpace): CountedLoop | RuleHold | undefined {
  const [only, ...others] = statements;
  if (only?.type !== "for_statement" || others.length > 0) return undefined;
  const [loop] = countedLoops(only);
  if (loop?.loop.id !== only.id) return undefined;
  const { step, comparison, bound, start, variable } = loop;
  const byOne = step.operator === "+" && (step.amount === undefined || step.amount.text === "1");
  if (!byOne || comparison !== "<" || !isPure(bound) || !isPure(start))
    return not("no-pattern", `${variable} does not count up to an end by one`, only);
  const uneven = axes.find(({ name }) => usesOf(bound, name).length + usesOf(start, name).length > 0);
  if (uneven !== undefined) return not("dependence", `the loop is as long as ${uneven.name} says`, only);
  return carriedOver(loop) ?? loop;
}

/** Something that one iteration hands on to the next one, or an end in the middle. */
function carriedOver({ body, variable }: CountedLoop): RuleHold | undefined {
  const own = new Set(localValues(body).map(({ name }) => name));
  const carried = changes(body).find(
    ({ target }) => target.text === variable || (target.type === "identifier" && !own.has(target.text)),
  );
  if (carried !== undefined)
    return not("dependence", "an iteration hands something on to the next one", carried.act);
  const [leaves] = body.descendantsOfType(["break_statement", "continue_statement", "return_statement"]);
  return leaves && not("no-pattern", "the loop of a point ends in the middle", leaves);
}

interface Along {
  readonly space: PointSpace;
  readonly along: CountedLoop;
  readonly threads: number;
}

/**
 * Moves what a loop of each point copies through a tile of points and iterations: lanes are neighbouring
 * points where these are neighbours in memory, and neighbouring iterations where those are.
 */
export function throughLoop(input: RuleInput, view: KernelView, walk: Along): readonly TextEdit[] | RuleHold {
  const edit = walked(view, walk);
  if (isNot(edit)) return edit;
  // A block has fewer points than before: as many times more of them, where the launch can say so.
  const times = walk.threads / side;
  if (times === 1) return [edit];
  const grid = gridEdits(input, view, ([x, y, z]) => [`${factorOf(x)} * ${times}`, y, z]);
  return isNot(grid) ? [edit] : [edit, ...grid];
}

function walked(view: KernelView, { space, along, threads }: Along): TextEdit | RuleHold {
  const statements = statementsOf(along.body);
  const scope = {
    ...view.scope,
    meaning: (name: string) =>
      name === along.variable || space.axes.some((axis) => axis.name === name)
        ? undefined
        : view.scope.meaning(name),
  };
  for (const axis of [0, 1] as const) {
    const crossed = crossedLoads(view, {
      names: [space.axes[axis].name, along.variable],
      statements,
      form: (node) => formOf(node, scope),
    });
    if (!isNot(crossed)) return edited({ view, space, along, threads, axis, crossed });
    if (axis === 1) return crossed;
  }
  return not("no-pattern", "no load lies across the loop", along.loop);
}

interface Rewrite extends Along {
  readonly view: KernelView;
  /** The axis of the points that lie across the loop. */
  readonly axis: 0 | 1;
  readonly crossed: Crossed;
}

function edited({ view, space, along, threads, axis, crossed }: Rewrite): TextEdit {
  const { source } = view;
  const names = walkNames(source, space);
  const [lane, row, first] = ["lane", "line", `${along.variable}First`].map((wish) =>
    freshName(source, wish),
  );
  const tiles = crossed.loads.map((_, place) => freshName(source, `staged${place === 0 ? "" : place + 1}`));
  const { variable, bound, start, type } = along;
  const plain = type.replace(/\bconst\b/g, "").trim();
  const end = factorOf(bound.text);
  /** Lines of a pass whose lanes are neighbouring points, or neighbouring iterations. */
  const pass = (points: boolean, work: readonly string[]): readonly string[] => {
    const [place, turn] = points ? [lane, row] : [row, lane];
    const own = axis === 0 ? names.firstAcross : names.firstDown;
    const numbers = [names.firstAcross, names.firstDown].map((name) =>
      name === own ? `${name} + ${place}` : name,
    );
    return [
      `for (int ${row} = ${names.thread} / ${side}; ${row} < ${side}; ${row} += ${threads / side}) {`,
      `  const ${plain} ${variable} = ${first} + ${turn};`,
      ...pointLines(
        space,
        [at(numbers, 0), at(numbers, 1)],
        [`if (${variable} < ${end}) {`, ...work.map((line) => `  ${line}`), "}"],
      ).map((line) => `  ${line}`),
      "}",
      "__syncthreads();",
    ];
  };
  const alongPoints = crossed.storeAxis === 1;
  const element = (tile: string, points: boolean): string =>
    points ? `${tile}[${row}][${lane}]` : `${tile}[${lane}][${row}]`;
  const loaded = crossed.loads.map((load, place) => loadAhead(load, element(at(tiles, place), alongPoints)));
  const work = statementsOf(along.body).map((statement) => {
    const inside = crossed.loads.flatMap(({ node }, place) =>
      isInside(node, statement) ? [replaceNode(node, element(at(tiles, place), !alongPoints))] : [],
    );
    return editedText(source, { start: statement.startIndex, end: statement.endIndex }, inside);
  });
  return tileWalk({
    ...{ view, space, names },
    sides: axis === 0 ? { across: side, down: 1 } : { across: 1, down: side },
    declarations: crossed.loads.map(
      ({ elementType }, place) => `__shared__ ${elementType} ${at(tiles, place)}[${side}][${side + 1}];`,
    ),
    tile: [
      `const int ${lane} = ${names.thread} % ${side};`,
      `for (${plain} ${first} = ${start.text}; ${first} < ${end}; ${first} += ${side}) {`,
      ...[...pass(alongPoints, loaded), ...pass(!alongPoints, work)].map((line) => `  ${line}`),
      "}",
    ],
  });
}
