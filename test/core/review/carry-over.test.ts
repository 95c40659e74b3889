import { expect, test } from "vitest";
import { carryOver, describeConflicts } from "../../../server/core/review/carry-over";

type Texts = Readonly<Record<string, string>>;

const base = { "k.cu": "one\ntwo\nthree\nfour\nfive\nsix\nseven\n", "lib.h": "// helper\n" };
const proposed = { ...base, "k.cu": "one\n2\nthree\nfour\nfive\nsix\n7\n" };

interface Case {
  readonly name: string;
  readonly present: Texts;
  readonly made?: Texts;
  /** What carried over, or where it does not go. */
  readonly gives: Texts | string;
}

const cases: readonly Case[] = [
  { name: "the files are as they were", present: base, gives: proposed },
  {
    name: "lines were added above and elsewhere",
    present: { ...base, "k.cu": `// new\n${base["k.cu"]}eight\n`, "lib.h": "// other\n" },
    gives: { "k.cu": `// new\n${proposed["k.cu"]}eight\n`, "lib.h": "// other\n" },
  },
  {
    name: "line ends are Windows' now",
    present: { ...base, "k.cu": base["k.cu"].replaceAll("\n", "\r\n") },
    gives: { ...base, "k.cu": proposed["k.cu"].replaceAll("\n", "\r\n") },
  },
  {
    name: "a part stands there already",
    present: { ...base, "k.cu": base["k.cu"].replace("two", "2") },
    gives: proposed,
  },
  {
    name: "lines that change were edited",
    present: { ...base, "k.cu": "one\nTWO\nthree\nfour\nfive\nsix\nSEVEN\n" },
    gives: "k.cu:2 and k.cu:7",
  },
  { name: "the file is gone", present: { "lib.h": base["lib.h"] }, gives: "k.cu, which is gone" },
  {
    name: "a file was added",
    present: base,
    made: { ...base, "new.h": "// mine\n" },
    gives: { ...base, "new.h": "// mine\n" },
  },
  {
    name: "a file was taken away",
    present: { ...base, "k.cu": proposed["k.cu"] },
    made: { "k.cu": base["k.cu"] },
    gives: { "k.cu": proposed["k.cu"], "lib.h": "" },
  },
  {
    name: "a file was taken away that is gone",
    present: { "k.cu": base["k.cu"] },
    made: { "k.cu": base["k.cu"] },
    gives: { "k.cu": base["k.cu"] },
  },
];

test.each(cases)("changes are carried over: $name", ({ present, made = proposed, gives }) => {
  const carried = carryOver({ base, proposed: made }, present);
  expect(carried.ok ? carried.value : describeConflicts(carried.problem)).toEqual(gives);
});
