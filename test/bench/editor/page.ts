/// <reference lib="dom" />
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page, Worker as PageThread } from "playwright-core";
import { inRepository } from "../../../server/setup/support/layout.mjs";
import { launchBrowser } from "../../harness/browser";
import type { TimelineView } from "../../../server/protocol/timeline-views";
import { LanguageClient } from "../../harness/language-client";
import { type Measurement, quantile, rounded } from "../bench";
import { writeLongSession } from "../../harness/long-session";
import { against } from "./limits";
import { watchTasks } from "./page-tasks";

const events = 10_000;
const openings = 5;
/** Milliseconds from the page's script to its first rows on the screen. */
const paintGoal = 300;
/** Milliseconds of processor time of the longest task of the page while rows come in. */
const taskGoal = 16;
/** A second while somebody scrolls. */
const frameGoal = 60;
/** Events of a run that goes on, one after the other. */
const streamedEvents = 200;
/** Frames of a scroll from the first event to the last. */
const scrollFrames = 120;

interface Opening {
  readonly painted: number;
  readonly whole: number;
  readonly longest: number;
  /** The longest task while events of a run that goes on come. */
  readonly streamed: number;
  /** Frames a second while somebody scrolls. */
  readonly frames: number;
  /** The longest tasks while somebody scrolls, and while they type into the search. */
  readonly scrolled: number;
  readonly searched: number;
}

/** The page of a long session, with the server that reads its log, in a browser as VS Code has one. */
export async function pageMeasurements(): Promise<readonly Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), "kernelwright-page-"));
  const root = join(folder, "sessions");
  try {
    const session = await writeLongSession(root, events);
    const browser = await launchBrowser();
    try {
      const opened: Opening[] = [];
      for (let opening = 0; opening < openings; opening += 1)
        opened.push(await openPage(browser.page, { folder, root, session }));
      const middle = (part: keyof Opening): number =>
        quantile(
          opened.map((each) => each[part]),
          0.5,
        );
      return [
        against(
          `first rows of a session of ${events} events on the screen, a new server each time, median of ${openings}`,
          middle("painted"),
          paintGoal,
          "ms",
        ),
        { metric: "the same, all rows", value: rounded(middle("whole")), unit: "ms" },
        against("longest task of the page meanwhile, its processor time", middle("longest"), taskGoal, "ms"),
        against(
          `longest task while ${streamedEvents} more events come one after the other, the same`,
          middle("streamed"),
          taskGoal,
          "ms",
        ),
        {
          metric: `frames while all of it is scrolled through in ${scrollFrames}`,
          value: rounded(middle("frames")),
          unit: "a second",
          versus: `goal ${frameGoal} a second`,
          ratio: rounded(middle("frames") / frameGoal),
        },
        against("longest task meanwhile, its processor time", middle("scrolled"), taskGoal, "ms"),
        against("longest task while a word is searched, the same", middle("searched"), taskGoal, "ms"),
      ];
    } finally {
      await browser.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Place {
  readonly folder: string;
  readonly root: string;
  readonly session: string;
}

/** Plays the extension's part: what the page asks is asked of the server, a page full at a time. */
async function openPage(page: Page, { folder, root, session }: Place): Promise<Opening> {
  const client = await LanguageClient.start({
    folder,
    trusted: true,
    environment: { KERNELWRIGHT_SESSIONS: root },
  });
  try {
    await page.goto("about:blank");
    await page.setContent("<!DOCTYPE html><body></body>");
    await page.addStyleTag({ path: inRepository("dist", "trajectory.css") });
    await page.evaluate(watchPage);
    const editor = await editorOf(page);
    const tasks = await watchTasks(page);
    await page.addScriptTag({ path: inRepository("dist", "trajectory.js") });
    const rowsAfter = (seq: number): Promise<TimelineView> =>
      client.request("kernelwright/timeline", { sessionId: session, after: seq });
    let after = 0;
    let last: TimelineView | undefined;
    for (let next: Promise<TimelineView> | undefined = rowsAfter(after); next !== undefined;) {
      const view: TimelineView = await next;
      after = view.steps.at(-1)?.seq ?? after;
      next = view.more ? rowsAfter(after) : undefined;
      last = view;
      await editor.evaluate((data) => postMessage(data), { kind: "timeline", view });
    }
    await page.getByText(new RegExp(`of ${after.toLocaleString("en")} events`)).waitFor();
    const seen = { ...(await page.evaluate(seenOfPage)), longest: await tasks() };
    const streamed = last === undefined ? 0 : await streamEvents(page, editor, last);
    return { ...seen, streamed, ...(await usePage(page)) };
  } finally {
    await client.stop();
  }
}

/** Hands the page one event after the other, as of a run that goes on. */
async function streamEvents(page: Page, editor: PageThread, last: TimelineView): Promise<number> {
  const streaming = await watchTasks(page);
  const newest = last.steps.at(-1);
  if (newest === undefined) throw new Error("the session has no event");
  for (let more = 1; more <= streamedEvents; more += 1) {
    const view = { ...last, total: last.total + more, steps: [{ ...newest, seq: newest.seq + more }] };
    await editor.evaluate((data) => postMessage(data), { kind: "timeline", view });
  }
  await page
    .getByText(new RegExp(`of ${(newest.seq + streamedEvents).toLocaleString("en")} events`))
    .waitFor();
  return streaming();
}

/** Scrolls from end to end, and searches letter by letter. */
async function usePage(page: Page): Promise<Pick<Opening, "frames" | "scrolled" | "searched">> {
  const scrolling = await watchTasks(page);
  const frames = await page.evaluate(scrollThrough, scrollFrames);
  const scrolled = await scrolling();
  const searching = await watchTasks(page);
  await page.getByLabel("Search the events").pressSequentially("transpose read", { delay: 50 });
  await page.getByText(/^[1-9][\d,]* of [\d,]+ events/).waitFor();
  return { frames, scrolled, searched: await searching() };
}

/**
 * A thread of the page that stands in for the editor's window. A message comes from there as a copy, and is
 * handed on once more, as VS Code's outer frame does it; what the bench itself says is read on that thread.
 */
async function editorOf(page: Page): Promise<PageThread> {
  const started = page.waitForEvent("worker");
  await page.evaluate(() => {
    const thread = new Worker(URL.createObjectURL(new Blob([""], { type: "text/javascript" })));
    thread.addEventListener("message", ({ data }) => window.postMessage(data));
  });
  return started;
}

/** In the page: stands in for the editor, and notes when rows are painted. */
function watchPage(): void {
  const began = performance.now();
  const seen = { painted: 0 };
  Object.assign(window, {
    seen,
    began,
    acquireVsCodeApi: () => ({ postMessage: () => undefined, setState: () => undefined }),
  });
  const look = (): void => {
    if (document.querySelector(".row") === null) requestAnimationFrame(look);
    // The frame after the one that drew the rows.
    else requestAnimationFrame(() => (seen.painted = performance.now() - began));
  };
  look();
}

/** In the page: the frames a second of a scroll to the end. */
async function scrollThrough(frames: number): Promise<number> {
  const list = document.querySelector(".timeline");
  if (list === null) throw new Error("the page has no list of events");
  const frame = (): Promise<number> => new Promise((shown) => requestAnimationFrame(shown));
  const began = await frame();
  let last = began;
  for (let count = 0; count < frames; count += 1) {
    list.scrollTop = ((count + 1) * (list.scrollHeight - list.clientHeight)) / frames;
    last = await frame();
  }
  return (1000 * frames) / (last - began);
}

/** In the page: what was noted. */
function seenOfPage(): Pick<Opening, "painted" | "whole"> {
  const { seen, began } = window as unknown as { seen: Pick<Opening, "painted">; began: number };
  return { ...seen, whole: performance.now() - began };
}
