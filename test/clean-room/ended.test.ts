import { expect, it } from "vitest";
import { eventually } from "../harness/eventually";
import { startTestRun } from "../harness/npm-test";

it("Ctrl-C while the tests drive VS Code ends VS Code, its browser and all that it started", async () => {
  const run = startTestRun("editor");
  try {
    await run.sees("━━ editor");
    for (const program of ["server-main.js", "--type=extensionHost", "dist/server.js"])
      await eventually({
        what: program,
        read: () => Promise.resolve(run.processes(program)),
        accept: (found) => found.length > 0,
        limit: 120_000,
      });
    run.signal("SIGINT", "group");
    expect(await run.ended).toBe(130);
    expect(run.processes("")).toEqual([]);
    expect(run.said()).not.toMatch(/━━ summary/);
  } finally {
    run.signal("SIGTERM", "npm");
  }
});
