import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { known } from "../../server/core/base/known";
import { launchBrowser } from "../harness/browser";
import { eventually, PATIENCE_MS } from "../harness/eventually";
import { processesIn } from "../harness/marked-processes";
import { Workbench } from "../harness/workbench";
import { openRoom, type Room, RoomCommand } from "./room";

/** Set-up from nothing, with the downloads of npm and pip at hand, in milliseconds. */
const SETUP_LIMIT_MS = 600_000;

const RUN_LIMIT_MS = 240_000;

const ADDRESS = /^http:\/\/127\.0\.0\.1:\d+\/\S+$/m;

/** What VS Code gives to a browser that comes with the token of the address, which it trades for a cookie. */
async function pageOf(address: string): Promise<string> {
  const entered = await fetch(address, { redirect: "manual" });
  const cookie = entered.headers.getSetCookie().map((set) => set.split(";")[0]);
  const page = new URL(entered.headers.get("location") ?? "", address);
  return (await fetch(page, { headers: { cookie: cookie.join("; ") } })).text();
}

/**
 * The first minute of a user, on a machine where nothing of ours ever ran: only what is committed is there,
 * so a step that works thanks to what lies about on a developer's machine fails here.
 */
describe("a clone of HEAD with an empty home", () => {
  let room: Room;
  const started: RoomCommand[] = [];

  beforeAll(() => {
    room = openRoom();
  });
  afterAll(async () => {
    for (const command of started) command.interrupt();
    await Promise.all(started.map(({ ended }) => ended));
    await room.remove();
  });

  const start = (...command: [string, ...string[]]): RoomCommand => {
    const running = new RoomCommand(room, command);
    started.push(running);
    return running;
  };

  it(
    "npm start serves VS Code, and so does a second one at the same time",
    { timeout: SETUP_LIMIT_MS },
    async () => {
      const servers = [start("npm", "start", "--", "--headless"), start("npm", "start", "--", "--headless")];
      const addresses = await Promise.all(servers.map((server) => server.sees(ADDRESS)));
      expect(new Set(addresses.map((address) => new URL(address).port)).size).toBe(2);
      // One of the two did the work; the other waited for it.
      const steps = ["npm packages", "VS Code for the browser", "Python environment", "build"];
      const times = (step: string): number =>
        servers.reduce((sum, { said }) => sum + said.split(new RegExp(`^✓ ${step}`, "m")).length - 1, 0);
      expect(steps.map((step) => [step, times(step)])).toEqual(steps.map((step) => [step, 1]));
      for (const server of servers) expect(server.said).not.toMatch(/^(! |\s+at )/m);
    },
  );

  it(
    "the lens stands over the kernel of samples/transpose.cu, and Profile puts facts on its lines",
    async () => {
      const [first, second] = await Promise.all(started.map((server) => server.sees(ADDRESS)));
      // A window takes ten times as long as its page, and both servers give it the same files.
      expect(await pageOf(known(first, "an address"))).toContain("workbench.js");
      const url = known(second, "an address");
      const browser = await launchBrowser();
      const host = { url, data: "", log: [], stop: () => Promise.resolve() };
      const workbench = new Workbench(host, browser);
      try {
        await browser.page.goto(url);
        await workbench.ready();
        await browser.page
          .getByRole("button", { name: "Yes, I trust the authors" })
          .click({ timeout: PATIENCE_MS });
        await workbench.openFile("transpose.cu");
        await workbench.editor.waitForLens("Profile", RUN_LIMIT_MS);
        await workbench.editor.clickLens("Profile");
        await workbench.editor.waitForDecoration(/\d/, RUN_LIMIT_MS);
        await workbench.screenshot("30-clean-room");
      } catch (error) {
        await workbench.screenshot("30-clean-room-failed");
        throw error;
      } finally {
        await workbench.close();
      }
    },
    2 * RUN_LIMIT_MS,
  );

  it("Ctrl-C ends both, and no process is left", { timeout: RUN_LIMIT_MS }, async () => {
    for (const server of started) server.interrupt();
    expect(await Promise.all(started.map(({ ended }) => ended))).toEqual([130, 130]);
    await eventually({
      what: "no process of the clone",
      read: () => Promise.resolve(processesIn(room.folder)),
      accept: (left) => left.length === 0,
      limit: 60_000,
    });
  });

  it(
    "npm run optimize improves the kernel and leaves the clone as it was",
    { timeout: RUN_LIMIT_MS },
    async () => {
      const sample = join(room.clone, "samples", "transpose.cu");
      const before = readFileSync(sample, "utf8");
      const optimize = start("npm", "run", "optimize", "--", "samples/transpose.cu");
      expect({
        code: await optimize.ended,
        said: /^Improved: .*/m.test(optimize.said) || optimize.said,
      }).toEqual({
        code: 0,
        said: true,
      });
      expect(readFileSync(sample, "utf8")).toBe(before);
      expect(existsSync(join(room.folder, "home of mine", ".local", "share", "kernelwright"))).toBe(true);
    },
  );
});
