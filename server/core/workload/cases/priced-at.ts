import type { PathProblem } from "../located-json";
import type { KernelSpec, ShapeCase } from "../spec";

/** The sizes of a price have the names of the shapes' sizes, and no recording to go with them. */
export function pricedProblems({ pricedAt, shapes }: KernelSpec): readonly PathProblem[] {
  if (pricedAt === undefined) return [];
  const path = ["pricedAt"];
  if (shapes.some(isBound))
    return [
      {
        path,
        message:
          "the shapes are recorded or have a weight, and what is priced is what was run: remove this entry",
      },
    ];
  const names = Object.keys(shapes[0]?.sizes ?? {});
  const missing = names.filter((name) => !Object.hasOwn(pricedAt, name));
  const extra = Object.keys(pricedAt).filter((name) => !names.includes(name));
  return [
    ...missing.map((name) => ({ path, message: `the size ${name} is missing: it has those of the shapes` })),
    ...extra.map((name) => ({
      path: [...path, name],
      message: `the size ${name} is not in the first shape: it has those of the shapes`,
    })),
  ];
}

function isBound({ recorded, weight }: ShapeCase): boolean {
  return recorded !== undefined || weight !== undefined;
}

/** The case in which the work is priced; undefined where that is a shape like any other. */
export function pricedCase({ pricedAt, shapes }: KernelSpec): ShapeCase | undefined {
  const first = shapes.find(({ heldOut }) => heldOut !== true);
  return pricedAt === undefined || first === undefined ? undefined : { ...first, sizes: pricedAt };
}
