import { freshName } from "../../edits";
import { factorOf } from "../launch/grid-edit";
import type { KernelView } from "../kernel";
import type { PointSpace } from "../points/point-space";
import type { WalkedArray } from "./walked-array";

/** Loads that a thread asks for before it waits for the first of them. */
const asked = 8;

/** What the copies of a walk's turns have in common. */
interface TurnCopy {
  readonly view: KernelView;
  readonly space: PointSpace;
  readonly threads: number;
  /** Turns that a tile holds. */
  readonly turns: number;
  /** Names of the block's first point, of the number of turns at hand and of the first of them. */
  readonly first: string;
  readonly count: string;
  readonly from: string;
}

/** Lines by which the block copies turns of all its rows to a tile, neighbouring elements by neighbours. */
export function copyIn(copy: TurnCopy, array: WalkedArray, tile: string): readonly string[] {
  const place = placesOf(copy, array);
  const fresh = (wish: string): string => freshName(copy.view.source, wish);
  const [held, each, part] = [fresh("held"), fresh("each"), fresh("part")];
  const number = `(${part} + ${each})`;
  return [
    "{",
    ...place.before.map((line) => `  ${line}`),
    "  #pragma unroll",
    `  for (int ${part} = 0; ${part} < ${array.each * copy.turns}; ${part} += ${asked}) {`,
    `    ${array.type} ${held}[${asked}];`,
    "    #pragma unroll",
    `    for (int ${each} = 0; ${each} < ${asked}; ++${each}) {`,
    ...place.at(number).map((line) => `      ${line}`),
    `      ${held}[${each}] = ${place.isInside} ? ${place.element} : ${array.type}();`,
    "    }",
    "    #pragma unroll",
    `    for (int ${each} = 0; ${each} < ${asked}; ++${each}) {`,
    ...place.at(number).map((line) => `      ${line}`),
    `      ${tile}[${place.row}][${place.column}] = ${held}[${each}];`,
    "    }",
    "  }",
    "}",
  ];
}

/** The same from the tile to the array. */
export function copyOut(copy: TurnCopy, array: WalkedArray, tile: string): readonly string[] {
  const place = placesOf(copy, array);
  const part = freshName(copy.view.source, "part");
  return [
    "{",
    ...place.before.map((line) => `  ${line}`),
    "  #pragma unroll",
    `  for (int ${part} = 0; ${part} < ${array.each * copy.turns}; ++${part}) {`,
    ...place.at(part).map((line) => `    ${line}`),
    `    if (${place.isInside}) ${place.element} = ${tile}[${place.row}][${place.column}];`,
    "  }",
    "}",
  ];
}

interface Places {
  /** Lines in front of the loop over a thread's elements. */
  readonly before: readonly string[];
  /** Lines that find the element of a number. */
  at(number: string): readonly string[];
  readonly row: string;
  readonly column: string;
  /** True where the row and the turn are there. */
  readonly isInside: string;
  readonly element: string;
}

/**
 * Which elements a thread copies: it stays in its column where the rows of a tile and the threads
 * go together.
 */
function placesOf(copy: TurnCopy, array: WalkedArray): Places {
  const { view, space, threads, turns, first, count, from } = copy;
  const fresh = (wish: string): string => freshName(view.source, wish);
  const [row, column, start, cell] = [fresh("row"), fresh("column"), fresh("start"), fresh("cell")];
  const [across] = space.axes;
  const length = array.each * turns;
  const term = (key: string, times: number, point: string): string =>
    termText(key, times, [across.name, point]);
  const index = (point: string): string => {
    const terms = [...array.row].map(([key, times]) => term(key, times, point));
    return [...terms, array.each === 1 ? from : `${array.each} * ${from}`, column].join(" + ");
  };
  const elementOf = (at: string): string => `${array.parameter}[${at}]`;
  const end = array.each === 1 ? count : `${array.each} * ${count}`;
  const isInside = `${first} + ${row} < ${factorOf(across.extent)} && ${column} < ${end}`;
  if (threads % length !== 0)
    return {
      ...{ before: [], row, column, isInside, element: elementOf(index(`(${first} + ${row})`)) },
      at: (number) => [
        `const int ${cell} = threadIdx.x + ${number} * ${threads};`,
        `const int ${row} = ${cell} / ${length};`,
        `const int ${column} = ${cell} % ${length};`,
      ],
    };
  const rows = threads / length;
  const steps = [...array.row]
    .filter(([key]) => key.split("*").includes(across.name))
    .map(([key, times]) => term(key, times, String(rows)));
  const [step, number] = [fresh("step"), fresh("turn")];
  return {
    before: [
      `const int ${column} = threadIdx.x % ${length};`,
      `const size_t ${start} = ${index(`(${first} + threadIdx.x / ${length})`)};`,
      `const size_t ${step} = ${steps.join(" + ")};`,
    ],
    at: (text) => [
      `const int ${number} = ${text};`,
      `const int ${row} = threadIdx.x / ${length} + ${number} * ${rows};`,
    ],
    ...{ row, column, isInside, element: elementOf(`${start} + ${number} * ${step}`) },
  };
}

/** A product of the form with another number in place of the point's, in 64 bits. */
function termText(key: string, times: number, [point, number]: readonly [string, string]): string {
  if (key === "") return String(times);
  const factors = key.split("*").map((factor) => (factor === point ? number : factor));
  const product = [`static_cast<size_t>(${factors[0] ?? ""})`, ...factors.slice(1)].join(" * ");
  return times === 1 ? product : `${times} * ${product}`;
}
