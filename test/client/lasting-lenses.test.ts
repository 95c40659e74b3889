import { expect, test } from "vitest";
import type { CancellationToken, CodeLens, Command, TextDocument } from "vscode";
import { LastingCommands } from "../../client/src/lasting-commands";
import { lastingLenses } from "../../client/src/server/lasting-lenses";

const stop: Command = { title: "Stop and review", command: "kernelwright.takeBest", arguments: [{}] };
const check: Command = { title: "Check", command: "kernelwright.check", arguments: [{}] };
const noToken = {} as CancellationToken;

/** Lenses over one document, of a server that answers when it is told to. */
function underTest(): {
  readonly over: Set<string>;
  readonly asks: ((commands: readonly Command[] | null) => void)[];
  readonly changes: () => number;
  type(): void;
  titles(): Promise<readonly string[] | undefined>;
} {
  const document = { version: 1 };
  const over = new Set<string>();
  const asks: ((commands: readonly Command[] | null) => void)[] = [];
  let changes = 0;
  const { provideCodeLenses } = lastingLenses({
    commands: new LastingCommands(
      () => ({ dispose: () => undefined }),
      () => undefined,
    ),
    isPast: ({ command }) => over.has(command?.command ?? ""),
    changed: () => (changes += 1),
  });
  const next = (): Promise<CodeLens[] | null> =>
    new Promise((answer) => {
      asks.push((commands) =>
        answer(commands?.map((command) => ({ command }) as unknown as CodeLens) ?? null),
      );
    });
  return {
    over,
    asks,
    changes: () => changes,
    type: () => void (document.version += 1),
    titles: async () => {
      const lenses = await provideCodeLenses?.(document as TextDocument, noToken, next);
      return lenses?.map(({ command }) => command?.title ?? "");
    },
  };
}

test("what is over goes before the server answers, and its answer is shown when it comes", async () => {
  const { asks, changes, over, titles } = underTest();
  const first = titles();
  asks[0]?.([stop, check]);
  expect(await first).toEqual(["Stop and review", "Check"]);
  over.add(stop.command);
  expect(await titles()).toEqual(["Check"]);
  expect(changes()).toBe(0);
  asks[1]?.([check, { ...check, title: "Kernel spec" }]);
  await new Promise(setImmediate);
  expect(changes()).toBe(1);
  const last = titles();
  asks[2]?.([check, { ...check, title: "Kernel spec" }]);
  expect(await last).toEqual(["Check", "Kernel spec"]);
});

test("a late answer that says the same changes nothing, and one that does not come is none", async () => {
  const { asks, changes, titles } = underTest();
  const first = titles();
  asks[0]?.([check]);
  await first;
  expect(await titles()).toEqual(["Check"]);
  asks[1]?.([check]);
  expect(await titles()).toEqual(["Check"]);
  asks[2]?.(null);
  await new Promise(setImmediate);
  expect(changes()).toBe(0);
});

test("lenses of another text are waited for", async () => {
  const { asks, type, titles } = underTest();
  const first = titles();
  asks[0]?.([check]);
  await first;
  type();
  const second = titles();
  let hasAnswered = false;
  void second.then(() => (hasAnswered = true));
  await new Promise((passed) => setTimeout(passed, 400));
  expect(hasAnswered).toBe(false);
  asks[1]?.([stop]);
  expect(await second).toEqual(["Stop and review"]);
});
