import { expect, test } from "vitest";
import { WireReader, WireWriter } from "../../../server/host/program/protocol/wire";
import { Program, ptx } from "./device-program";

/** The device's reply to a `link` of these files, and the names of its kernels and variables. */
function linked(...sources: readonly (readonly [string, string])[]): {
  readonly status: number;
  readonly message: string;
  readonly names: readonly string[];
} {
  const writer = new WireWriter().count(sources.length);
  for (const [file, text] of sources) writer.text(file).text(text);
  const { status, message, body } = new Program().ask(22, writer.count(0).bytes());
  if (status !== 0) return { status, message, names: [] };
  const reader = new WireReader(body);
  reader.wide();
  const names: string[] = [];
  for (let kernels = reader.count(); kernels > 0; kernels -= 1) {
    names.push(reader.text());
    for (let skipped = 4; skipped > 0; skipped -= 1) reader.count();
    for (let parameters = reader.count(); parameters > 0; parameters -= 1) reader.wide();
  }
  for (let variables = reader.count(); variables > 0; variables -= 1) {
    names.push(reader.text());
    reader.wide();
    reader.wide();
    reader.count();
  }
  return { status, message, names };
}

const head = ".version 8.0\n.target sm_80\n.address_size 64\n";
const unlinked: readonly {
  readonly title: string;
  readonly sources: readonly (readonly [string, string])[];
  readonly outcome: ReturnType<typeof linked>;
}[] = [
  {
    title: "files with names of their own",
    sources: [
      ["a.cu", ptx],
      ["b.cu", `${head}.global .u32 counter = 1;\n.visible .global .u32 other;\n`],
    ],
    outcome: { status: 0, message: "", names: ["twice", "counter", "counter@1", "other"] },
  },
  {
    title: "a name that two files define",
    sources: [
      ["a.cu", ptx],
      ["b.cu", `${head}.visible .func _Z4helpf() { ret; }`],
      ["c.cu", `${head}.visible .func _Z4helpf() { ret; }`],
    ],
    outcome: {
      status: 200,
      message:
        "help is defined in b.cu and again in c.cu: define it in one file and declare it extern in the others",
      names: [],
    },
  },
  {
    title: "no PTX",
    sources: [
      ["a.cu", ptx],
      ["b.cu", ""],
    ],
    outcome: {
      status: 200,
      message:
        "b.cu was compiled without PTX that can be read: give its source, or compile it with -gencode arch=compute_80,code=[compute_80,sm_80] -Xfatbin -compress=false",
      names: [],
    },
  },
];

test.each(unlinked)("a link of $title", ({ sources, outcome }) => {
  expect(linked(...sources)).toEqual(outcome);
});

test("a link of fewer files than it says is no request", () => {
  expect(() =>
    new Program().ask(22, new WireWriter().count(4_000_000_000).text("a.cu").text(ptx).bytes()),
  ).toThrow();
});
