import { expect, test } from "vitest";
import { RepeatedLaunches } from "../../../server/host/program/device/repeats/repeated-launches";
import { Program } from "./device-program";

/** A loop's rounds as letters: launches of kernels A, B, C; `r`: the host reads, `w`: it writes. */
function follow(rounds: string, { limit, seconds = 0.5 }: { limit?: number; seconds?: number }) {
  const said: string[] = [];
  const told: string[] = [];
  let now = 0;
  let [isRead, isChanged] = [false, false];
  const repeats = new RepeatedLaunches({ now: () => now, say: (line) => said.push(line) }, limit);
  const launch = (key: string): string => {
    const turn = repeats.begin({ key, name: key, isChanged, isRead });
    [isRead, isChanged] = [false, false];
    if (turn === "over") return repeats.skip(key, (line) => told.push(line)) ? "-" : "?";
    now += 1000 * seconds;
    repeats.end({ kind: "completed", findings: [], warpInstructions: 1 });
    return turn === "last" ? key.toLowerCase() : key;
  };
  const turns = [...rounds].map((what) => {
    if (what === "r") isRead = true;
    else if (what === "w") isChanged = true;
    else return launch(what);
    return what === "r" ? "." : ",";
  });
  return { turns: turns.join(""), told: [...new Set(told)], said };
}

/** Small letters: the last launch that runs; `-`: a skipped one; `.` and `,`: reads and writes. */
test.each<readonly [string, string, string, number | undefined]>([
  ["one kernel", "AAAAAA", "AAa---", 3],
  ["one kernel without a limit", "AAAAAA", "AAAAAA", undefined],
  ["kernels in turn", "ABABABAB", "ABab----", 2],
  ["a second loop behind the first", "AAAABBBB", "Aa--Bb--", 2],
  ["another kernel in each round is no loop", "ABACADAEA", "ABaCADaEA", 2],
  ["what the host writes begins anew", "AAAwAAA", "Aa-,Aa-", 2],
  ["a program that goes by what it reads", "AArAArAA", "Aa.Aa.AA", 2],
  ["one launch alone", "AAA", "a--", 1],
])("%s: %s runs as %s", (_, rounds, expected, limit) => {
  expect(follow(rounds, limit === undefined ? {} : { limit }).turns).toBe(expected);
});

test("a long loop is told early, with what it will take", () => {
  expect(follow("A".repeat(12), { seconds: 3 }).said).toEqual([
    "A: 2 equal launches in 6 s, 100 take 5 min; --repeat-limit N, in the editor the setting Repeat Limit, runs at most N of them",
    "A: 4 equal launches in 12 s, 100 take 5 min; --repeat-limit N, in the editor the setting Repeat Limit, runs at most N of them",
    "A: 8 equal launches in 24 s, 100 take 5 min; --repeat-limit N, in the editor the setting Repeat Limit, runs at most N of them",
  ]);
  expect(follow("AB".repeat(12), {}).said).toEqual([
    "A: 5 equal launches in 5 s, 100 take 100 s; --repeat-limit N, in the editor the setting Repeat Limit, runs at most N of them",
    "A: 10 equal launches in 10 s, 1,000 take 17 min; --repeat-limit N, in the editor the setting Repeat Limit, runs at most N of them",
  ]);
  expect(follow("AAA", { seconds: 1 }).said).toEqual([]);
  expect(follow("Ar".repeat(8), { seconds: 1000 }).said.at(-1)).toBe(
    "A: 4 equal launches in 4000 s, 100 take 28 h; the program reads what they leave, so no limit applies",
  );
});

test("what is skipped is told once", () => {
  expect([follow("AAAA", { limit: 2 }).told, follow("AAAA", { limit: 1 }).told]).toEqual([
    [
      "A: launches after 2 equal ones were skipped (the repeat limit), and what they would have changed in memory is missing",
    ],
    [
      "A: launches after the first equal one were skipped (the repeat limit), and what they would have changed in memory is missing",
    ],
  ]);
});

test.each([
  ["in place", 2, [57, 65], ["limited, 7 times"]],
  ["that changes nothing any more", 0, [1, 2], []],
])("ten launches of a kernel %s with a limit of three", (_, count, values, problems) => {
  const program = new Program(false, { repeatLimit: 3 });
  program.load();
  const address = program.allocate(8);
  program.write(address, [1, 2]);
  for (let round = 0; round < 10; round += 1) program.launch(address, 2, { count });
  expect(program.read(address, 2).values).toEqual(values);
  expect(program.device.report().problems.map((each) => `${each.kind}, ${each.count} times`)).toEqual(
    problems,
  );
});
