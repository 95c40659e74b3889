import { expect, test } from "vitest";
import { LastingCommands } from "../../client/src/lasting-commands";

/** An editor that knows the commands which are registered, and notes what is executed. */
function editor() {
  const registered = new Map<string, () => unknown>();
  const executed: (readonly unknown[])[] = [];
  const commands = new LastingCommands(
    (id, act) => {
      expect(registered.has(id)).toBe(false);
      registered.set(id, act);
      return { dispose: () => void registered.delete(id) };
    },
    (...all) => executed.push(all),
    2,
  );
  return { registered, executed, commands };
}

const accept = (hunk: string) => ({
  title: "Accept",
  command: "kernelwright.acceptHunk",
  arguments: [{ sessionId: "1", hunk }],
});

test("a lens that was drawn anew still leads where it led", () => {
  const { registered, executed, commands } = editor();
  const first = commands.lasting(accept("a"));
  const again = commands.lasting({ ...accept("a"), title: "Accept change 1", tooltip: "It needs change 2" });
  expect([first, again]).toEqual([
    { title: "Accept", command: '_kernelwright.acceptHunk [{"sessionId":"1","hunk":"a"}]' },
    { ...again, title: "Accept change 1", tooltip: "It needs change 2", command: first.command },
  ]);
  registered.get(first.command)?.();
  expect(executed).toEqual([["kernelwright.acceptHunk", { sessionId: "1", hunk: "a" }]]);
});

test("a command without arguments stays as it is", () => {
  const { registered, commands } = editor();
  const plain = { title: "Refresh", command: "kernelwright.refreshSessions" };
  expect([commands.lasting(plain), registered.size]).toEqual([plain, 0]);
});

test("what was asked for longest ago goes first, and all of them go at the end", () => {
  const { registered, commands } = editor();
  for (const hunk of ["a", "b", "a", "c"]) commands.lasting(accept(hunk));
  expect([...registered.keys()].map((id) => id.slice(-4, -3))).toEqual(["a", "c"]);
  commands.dispose();
  expect(registered.size).toBe(0);
});
