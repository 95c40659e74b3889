import { describe, expect, it } from "vitest";
import { sideBySide } from "../../server/setup/support/side-by-side.mjs";

interface Work {
  readonly name: string;
  readonly rows: number;
}

/** Works by their names and rows, as in "a1 b2". */
function worksOf(text: string): readonly Work[] {
  return text.split(" ").map((word) => ({ name: word.slice(0, 1), rows: Number(word.slice(1)) }));
}

/** Lets all that waits for what was just settled go on. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Starts ("+a") and ends ("-a") on two rows, where the works end in the order of their names in `ends`. */
async function story(
  works: string,
  ends: string,
  lastStart = Infinity,
): Promise<{ readonly told: string; readonly results: readonly string[] }> {
  const told: string[] = [];
  const end = new Map<string, () => void>();
  let starts = 0;
  const start = async ({ name }: Work): Promise<string> => {
    starts += 1;
    told.push(`+${name}`);
    await new Promise<void>((resolve) => end.set(name, resolve));
    told.push(`-${name}`);
    return name;
  };
  const all = sideBySide(worksOf(works), 2, start, () => starts < lastStart);
  for (const name of ends) {
    await settled();
    end.get(name)?.();
  }
  return { results: await all, told: told.join(" ") };
}

describe("sections side by side on two rows", () => {
  const table = [
    { what: "two at a time", works: "a1 b1 c1", ends: "bac", told: "+a +b -b +c -a -c" },
    { what: "one that fills both runs alone", works: "a1 b2 c1", ends: "abc", told: "+a -a +b -b +c -c" },
    { what: "it is not overtaken", works: "a1 b1 c2 d1", ends: "bacd", told: "+a +b -b -a +c -c +d -d" },
    { what: "one that wants more runs alone", works: "a3 b1", ends: "ab", told: "+a -a +b -b" },
    { what: "nothing more starts", works: "a1 b1 c1", ends: "ba", told: "+a +b -b -a", last: 2 },
  ];
  for (const { what, works, ends, told, last } of table)
    it(what, async () => {
      const { told: seen, results } = await story(works, ends, last);
      expect(seen).toBe(told);
      expect(results.join("")).toBe([...ends].sort().join(""));
    });
});
