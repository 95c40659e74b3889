import { expect, test } from "vitest";
import { withPlainMath } from "../../../server/host/worker/compile/plain-math";

const sum = "__global__ void sum(float *x) { x[0] += x[1]; }";

const cases: readonly {
  readonly title: string;
  readonly text?: string;
  readonly build?: Readonly<Record<string, string>>;
  readonly isWhole?: boolean;
  /** What the compiler says of a source without the functions. */
  readonly said?: string;
  /** For each compilation, whether it is one without them. */
  readonly plain: readonly boolean[];
}[] = [
  { title: "a kernel is compiled without them", plain: [true] },
  { title: "one that asks for them with them", text: "auto f = std::expint(1.0);", plain: [false] },
  { title: "a macro that asks for them", build: { prelude: "#define F std::hermite\n" }, plain: [false] },
  { title: "headers that nobody has read may use them", isWhole: false, plain: [false] },
  {
    title: "where one is missed they are there again",
    said: '"std" has no member "beta"',
    plain: [true, false],
  },
  { title: "another fault is told at once", said: 'identifier "y" is undefined', plain: [true] },
];

test.each(cases)("$title", async ({ text = sum, build = {}, isWhole = true, said, plain }) => {
  const sent: boolean[] = [];
  const answer = await withPlainMath({
    files: { "a.cu": text },
    build,
    isWhole,
    send: (asked) => {
      const isPlain = "headers" in asked;
      sent.push(isPlain);
      return Promise.resolve(isPlain && said !== undefined ? said : "compiled");
    },
    complaint: (given) => (given === "compiled" ? undefined : given),
  });
  expect([answer, sent]).toEqual([plain.length === 1 && said !== undefined ? said : "compiled", plain]);
});
