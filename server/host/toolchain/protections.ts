import { known } from "../../core/base/known";
import { walls } from "../../core/words/names/protections";
import mends from "./protection-mends.json";

/** One of the walls around a candidate's code, for people. */
export interface Protection {
  readonly title: string;
  /** What it keeps from happening. */
  readonly against: string;
  readonly isActive: boolean;
  /** What brings it about; empty where it is active. */
  readonly mend: string;
}

/** All protections, by the names of the walls that hold on a machine. */
export function protectionsOf(held: readonly string[]): readonly Protection[] {
  return walls.map(({ name, title, against, mend }) => {
    const isActive = held.includes(name);
    return { title, against, isActive, mend: isActive ? "" : mendOf(mend) };
  });
}

/** What people call a wall. */
export function wallTitle(wall: string): string {
  return walls.find(({ name }) => name === wall)?.title ?? wall;
}

function mendOf(name: string): string {
  return known(
    (mends as Readonly<Record<string, string>>)[name],
    `the mend ${name} of protection-mends.json`,
  );
}
