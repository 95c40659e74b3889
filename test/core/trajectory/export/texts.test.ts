import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeCleaner } from "../../../../server/core/trajectory/export/anonymize";
import { code, fence, inline, table } from "../../../../server/core/trajectory/export/markdown-text";
import { Redactor } from "../../../../server/core/trajectory/redact";

const clean = makeCleaner(new Redactor(), {
  workspaceFolder: "/home/alice/project/",
  homeFolder: "/home/alice",
  userName: "alice",
  hostName: "alices-box",
});

describe("placeholders of an export", () => {
  it.each([
    ["/home/alice/project/samples/a.cu:12: error", "<workspace>/samples/a.cu:12: error"],
    ["/home/alice/project", "<workspace>"],
    ["/home/alice/project2/a.cu", "<path>/a.cu"],
    ["in /home/alice/notes/secret plan.txt", "in <path>/secret plan.txt"],
    ["HOME=/home/alice", "HOME=<path>"],
    ["/home/bob/x.py", "<path>/x.py"],
    ["-I/usr/local/cuda/include", "-I/usr/local/cuda/include"],
    ['at "/usr/local/cuda/include/mma.h"', 'at "<path>/mma.h"'],
    ["C:\\Users\\bob\\a.cu", "<path>/a.cu"],
    ["user alice on alices-box, malice aforethought", "user <user> on <machine>, malice aforethought"],
    ["x = width / tile / 2; // a/b", "x = width / tile / 2; // a/b"],
    [
      "samples/transpose.cu and https://example.com/home/page",
      "samples/transpose.cu and https://example.com/home/page",
    ],
    [`token ghp_${"a".repeat(36)}`, "token [redacted:github-token]"],
  ])("%s", (text, expected) => {
    expect(clean(text)).toBe(expected);
    expect(clean(expected)).toBe(expected);
  });

  it("come to an end with a megabyte of what is nearly a path", () => {
    for (const nearly of ["/home/", "C:\\", "/home/alice", "a/", "\\"])
      expect(clean(nearly.repeat(2 ** 20 / nearly.length)).length).toBeGreaterThan(0);
    expect(fence("`\n".repeat(2 ** 19)).length).toBeGreaterThan(2 ** 20);
  });

  it("leaves a common name alone", () => {
    expect(makeCleaner(new Redactor(), { userName: "root", hostName: "x" })("root of x")).toBe("root of x");
  });
});

describe("hostile text in a report", () => {
  it.each([
    [
      "inline",
      inline("# a *b* <img src=x> [c](d) | e\nf"),
      "\\# a \\*b\\* \\<img src=x\\> \\[c\\](d) \\| e f",
    ],
    ["a list", inline("1. x"), "1\\. x"],
    ["code", code("a`b|c"), "`` a`b\\|c ``"],
    [
      "a fence",
      fence("```\n# not a heading\n````\n", "diff"),
      "`````diff\n```\n# not a heading\n````\n`````",
    ],
    ["control characters", fence("a\u001b[31mb\u202ec\r\nd"), "```\na\\u001b[31mb\\u202ec\nd\n```"],
    ["a table", table(["a", "b"], [["c", ""]]), "| a | b |\n| --- | --- |\n| c |   |"],
  ])("%s", (_, text, expected) => {
    expect(text).toBe(expected);
  });

  it("never leaves its fence", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("`", "\n", " ", "#", "a", "~", "\r") }), (text) => {
        const [first = "", ...rest] = fence(text).split("\n");
        expect(
          rest.findIndex(
            (line) =>
              line
                .trimEnd()
                .replace(/^ {0,3}/, "")
                .startsWith(first) && /^`+$/.test(line.trim()),
          ),
        ).toBe(rest.length - 1);
      }),
    );
  });
});
