import { setTimeout as rest } from "node:timers/promises";
import { expect, it } from "vitest";
import { takingTurns } from "../../../server/host/lsp/tasks";

it("begins a task when those before it have ended, so that the newest state is told last", async () => {
  const told: string[] = [];
  const inTurn = takingTurns();
  let state = "running";
  const first = inTurn(async () => {
    const read = state;
    await rest(20);
    told.push(read);
  });
  const lost = inTurn(() => Promise.reject(new Error("no such session")));
  const second = inTurn(() => Promise.resolve(told.push(state)));
  await rest(5);
  state = "ended";
  await expect(lost).rejects.toThrow("no such session");
  await Promise.all([first, second]);
  expect(told).toEqual(["running", "ended"]);
});
