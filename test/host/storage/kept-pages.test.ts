import { expect, test } from "vitest";
import type { SessionEvent } from "../../../server/core/trajectory/events";
import { KeptPages } from "../../../server/host/storage/session/kept-pages";

test("as many pages are kept as there is room for; the one asked for longest ago goes first", () => {
  const kept = new KeptPages(100);
  const events: readonly SessionEvent[] = [];
  const pages = ["a", "b", "c", "d"].map((name) => ({ name }));
  const there = (): string => pages.flatMap((page) => (kept.of(page) ? [page.name] : [])).join("");
  for (const page of pages.slice(0, 3)) kept.keep(page, events, 30);
  expect(there()).toBe("abc");
  kept.of(pages[0] ?? {});
  kept.keep(pages[3] ?? {}, events, 40);
  expect(there()).toBe("acd");
  kept.keep(pages[3] ?? {}, events, 30);
  expect(there()).toBe("acd");
  kept.keep({}, events, 101);
  expect(there()).toBe("");
});
