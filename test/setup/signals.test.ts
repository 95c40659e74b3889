import { describe, expect, it } from "vitest";
import { eventually } from "../harness/eventually";
import { startTestRun } from "../harness/npm-test";

function begunSections(said: string): readonly string[] {
  return [...said.matchAll(/^━━ (.*) …$/gm)].map((match) => match[1] ?? "");
}

describe("npm test ends all that it started, and starts no further section, on", () => {
  const table = [
    // A terminal sends Ctrl-C to the whole process group, so npm and the tests both get it.
    { what: "Ctrl-C", signal: "SIGINT", to: "group", code: 130 },
    { what: "SIGTERM to npm", signal: "SIGTERM", to: "npm", code: 143 },
  ] as const;
  for (const { what, signal, to, code } of table) {
    it(what, async () => {
      const run = startTestRun("fast,types,lint,format");
      await run.sees("━━ types");
      await eventually({
        what: "the compiler at work",
        read: () => Promise.resolve(run.processes("tsc")),
        accept: (found) => found.length > 0,
      });
      const begun = begunSections(run.said());
      run.signal(signal, to);
      expect(await run.ended).toBe(code);
      expect(run.processes("")).toEqual([]);
      expect(begunSections(run.said())).toEqual(begun);
      expect(run.said()).not.toMatch(/━━ summary|at .*\.mjs/);
    });
  }
});
