import { type AccessCost, isNear } from "./accesses";

type Level = "first" | "second" | "memory";

const sectorsOfLine = 4;
const least = 1e-9;

/**
 * Which level serves a request as a whole: as often as the shares of its sectors say, evenly spread. A
 * request over many lines waits for the slowest of them.
 */
export class Levels {
  private readonly due = new Map<number, { memory: number; second: number }>();

  /** Of an instruction's next request. */
  next(index: number, cost: AccessCost): Level {
    const { firstLevel, awaited, lines } = cost;
    const tries = Math.max(1, Math.min(lines, sectorsOfLine));
    const fetches = 1 - (1 - Math.min(1, awaited)) ** tries;
    const near = isNear(cost) ? firstLevel ** tries : 0;
    const due = this.due.get(index) ?? { memory: 0, second: 0 };
    this.due.set(index, due);
    due.memory += fetches;
    due.second += Math.max(0, 1 - near - fetches);
    if (due.memory >= 1 - least) {
      due.memory -= 1;
      return "memory";
    }
    if (due.second < 1 - least) return "first";
    due.second -= 1;
    return "second";
  }
}
