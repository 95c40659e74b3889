import { readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { nobodyToTell } from "../../client/src/chat/answer";
import { budgetWords } from "../../client/src/starting/start-rows";
import { speak, t } from "../../client/webview/common/localized";
import { resourceWord } from "../../client/webview/performance/words";
import { inRepository } from "../../server/setup/support/layout.mjs";
import { TEXTS_FILE, textsOfClient } from "../../server/setup/support/texts.mjs";

afterEach(() => speak({}));

test("what translators begin with holds the texts of the sources: npm run manifest", () => {
  expect(readFileSync(inRepository(TEXTS_FILE), "utf8")).toBe(textsOfClient());
});

test("sheet, chat and pictures speak the language of the editor, and English where it lacks a text", () => {
  const said = (): readonly unknown[] => [
    budgetWords({ usd: 1, minutes: 10, candidates: 24 }),
    nobodyToTell({ uri: "file:///k.cu", kernel: "k" }).parts.slice(1),
    resourceWord("shared"),
    t("{1} before {0}", "a", 2),
  ];
  const button = (title: string): object => ({
    title,
    command: "kernelwright.optimize",
    argument: { uri: "file:///k.cu", kernel: "k" },
  });
  expect(said()).toEqual([
    "$1 · 10 min · 24 candidates",
    [button("Optimize")],
    "shared memory",
    "2 before a",
  ]);
  speak({
    "{0} candidates": "{0} Kandidaten",
    Optimize: "Optimieren",
    "shared memory": "geteilter Speicher",
  });
  expect(said()).toEqual([
    "$1 · 10 min · 24 Kandidaten",
    [button("Optimieren")],
    "geteilter Speicher",
    "2 before a",
  ]);
});
