import { expect, it } from "vitest";
import { HeldLaunch } from "../../../server/host/program/device/held-launch";

/** The order in which the launches of a chain end; each depends on the one before programmatically. */
function check(chain: string, expected: string): void {
  const held = new HeldLaunch();
  let ended = "";
  for (const [name = "", does = ""] of chain.split(", ").map((each) => each.split(" "))) {
    const before = held.take();
    const run = (): void => {
      if (does.includes("w")) before?.();
      ended += name;
      if (before) held.pass(before);
    };
    if (does.includes("r")) held.hold(run);
    else run();
  }
  held.settle();
  expect(ended).toBe(expected);
}

it.each([
  ["each waits", "a r, b wr, c w", "abc"],
  ["none waits for the first", "a r, b r, c w", "bca"],
  ["the first of four is waited for by none", "a r, b r, c wr, d w", "bcda"],
  ["only the middle one waits", "a r, b wr, c", "cab"],
  ["none waits", "a r, b r, c", "cba"],
  ["the first lets none begin early", "a, b r, c", "acb"],
])("a wait is for the launch before alone: %s", (_, chain, expected) => {
  check(chain, expected);
});
