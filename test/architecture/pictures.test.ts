import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { inRepository } from "../../server/setup/support/layout.mjs";

/*
 * The pictures of README and walkthrough are screenshots of the browser tests (`npm run pictures`): each is
 * in the table, is there, and is one that a test still takes.
 */

const pictures = JSON.parse(readFileSync(inRepository("docs/pictures/pictures.json"), "utf8")) as Readonly<
  Record<string, string>
>;

/** The pictures that a page shows, as paths of the repository. */
function shownBy(page: string): readonly string[] {
  const text = readFileSync(inRepository(page), "utf8");
  const shown = [...text.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, file = ""]) => file);
  expect(text.match(/!\[/g) ?? []).toHaveLength(shown.length);
  return shown.map((file) => join(dirname(page), file));
}

it("shows in README and walkthrough the pictures of the table, and no others", () => {
  const walkthrough = readdirSync(inRepository("media/walkthrough"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `media/walkthrough/${name}`);
  const shown = ["README.md", ...walkthrough].flatMap(shownBy);
  expect(shown.sort()).toEqual(Object.keys(pictures).sort());
});

it.each(Object.entries(pictures))("%s is there, and a test takes it", (picture, screenshot) => {
  expect(existsSync(inRepository(picture))).toBe(true);
  // The theme is no part of the name that a test gives.
  const given = screenshot.replace(/-vscode-[a-z-]+$/, "");
  const tests = readdirSync(inRepository("test/e2e"))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(inRepository("test/e2e", name), "utf8"));
  expect(tests.some((text) => text.includes(`"${given}"`))).toBe(true);
});
