import { expect, test } from "vitest";
import { Baton } from "../../../server/core/agent/beside/baton";

/** A clock that one turns on by hand, and answers that come when one says so. */
function scene(): {
  readonly baton: Baton;
  readonly answer: (name: string, at: number) => Promise<void>;
  readonly wait: (name: string) => () => Promise<string>;
} {
  let now = 0;
  const open = new Map<string, () => void>();
  return {
    baton: new Baton({ monotonicMicroseconds: () => now }),
    wait: (name) => () => new Promise((resolve) => open.set(name, () => resolve(name))),
    answer: async (name, at) => {
      now = at;
      open.get(name)?.();
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    },
  };
}

/** The order in which answers come, with their times, and the time in which nothing but models was busy. */
const cases: readonly { readonly answers: readonly (readonly [string, number])[]; readonly idle: number }[] =
  [
    {
      answers: [
        ["a1", 10],
        ["b1", 20],
        ["a2", 30],
        ["b2", 40],
      ],
      idle: 40,
    },
    {
      answers: [
        ["b1", 10],
        ["a1", 20],
        ["b2", 30],
        ["a2", 50],
      ],
      idle: 50,
    },
  ];

test.each(cases)(
  "what is done has one order, whichever answer comes first: %o",
  async ({ answers, idle }) => {
    const { baton, wait, answer } = scene();
    const done: string[] = [];
    let waited = 0;
    const work = (name: string) => async (): Promise<string> => {
      for (const turn of [1, 2]) {
        done.push(`${name}${turn} asked`);
        const answered = await baton.whileAway(wait(`${name}${turn}`));
        waited += answered.idle;
        done.push(`${answered.value} answered`);
      }
      return name;
    };
    const shared = baton.share([work("a"), work("b")]);
    for (const [name, at] of [["", 0] as const, ...answers]) await answer(name, at);
    expect(await shared).toEqual(["a", "b"]);
    expect(done.join(", ")).toBe(
      "a1 asked, b1 asked, a1 answered, a2 asked, b1 answered, b2 asked, a2 answered, b2 answered",
    );
    expect([waited, baton.away]).toEqual([idle, 0]);
  },
);

test("what fails ends the work beside it", async () => {
  const { baton, wait, answer } = scene();
  const done: string[] = [];
  const shared = baton.share([
    async () => {
      await baton.whileAway(wait("a"));
      throw new Error("the disk is full");
    },
    async () => {
      await baton.whileAway(wait("b"));
      done.push("b goes on");
    },
  ]);
  const ended = expect(shared).rejects.toThrow("the disk is full");
  await answer("b", 1);
  await answer("a", 2);
  await ended;
  await answer("", 3);
  expect(done).toEqual([]);
});
