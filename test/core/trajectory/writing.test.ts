import { describe, expect, it } from "vitest";
import { blobsOf, makePreview } from "../../../server/core/trajectory/blobs";
import { Redactor } from "../../../server/core/trajectory/redact";
import { toStorable } from "../../../server/core/trajectory/storable";
import { applyFiles, changedFiles, treeId, type TreeFile } from "../../../server/core/trajectory/tree";
import { atifTokens } from "../../../server/core/trajectory/usage";
import { sha256 } from "./event-fixtures";

const secrets: readonly (readonly [string, string])[] = [
  [`key sk-${"a".repeat(24)} end`, "key [redacted:api-key] end"],
  [`sk-proj-${"A1_".repeat(10)}`, "[redacted:api-key]"],
  [`ghp_${"b".repeat(36)}`, "[redacted:github-token]"],
  [`AKIA${"C".repeat(16)}`, "[redacted:aws-key]"],
  [`hf_${"d".repeat(34)}`, "[redacted:hugging-face-token]"],
  ["Authorization: Bearer abcdef0123456789", "Authorization: Bearer [redacted:authorization]"],
  ['{"authorization": "Basic dXNlcjpwYXNz"}', '{"authorization": "Basic [redacted:authorization]"}'],
  ["https://alice:s3cret@example.com/x", "https://alice:[redacted:url-password]@example.com/x"],
  ["-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\nafter", "[redacted:private-key]\nafter"],
  ["my-own-key-value and my-own-key", "[redacted:known-key] and [redacted:known-key]"],
  ["task-aaaaaaaaaaaaaaaaaaaaaaaaaaaa", "task-aaaaaaaaaaaaaaaaaaaaaaaaaaaa"],
  [
    "tile[threadIdx.y][threadIdx.x] = input[row * width + col];",
    "tile[threadIdx.y][threadIdx.x] = input[row * width + col];",
  ],
];

describe("redaction", () => {
  const redactor = new Redactor();
  redactor.learn("my-own-key");
  redactor.learn("my-own-key-value");

  it.each(secrets)("%s", (text, expected) => {
    expect(redactor.redact(text)).toBe(expected);
    expect(redactor.redact(expected)).toBe(expected);
    expect(redactor.find(text) === undefined).toBe(text === expected);
  });

  it("comes to an end with a megabyte of what is nearly a secret", () => {
    for (const nearly of [
      "eyJaaaaaaaaaaaa-",
      "-----BEGIN PRIVATE KEY",
      "https://a:",
      "authorization: Bearer ",
      "sk-",
      "/home/a/",
    ]) {
      expect(redactor.redact(nearly.repeat(2 ** 20 / nearly.length)).length).toBeGreaterThan(10);
    }
  });

  it("does not take a short word for a secret", () => {
    expect(redactor.learn("key")).toBe(false);
    expect(redactor.redact("the key")).toBe("the key");
  });
});

describe("what can stand in a line", () => {
  it("has no NaN, no infinity and no integer that a reader would round; what is a double stays one", () => {
    const data = {
      a: [1, NaN],
      "b/c": { d: -Infinity },
      whole: 85631680346320076800,
      big: 1n << 60n,
      bigger: 12345678901234567890n,
      small: 7n,
      huge: 1e300,
      left: undefined,
      text: "SECRET",
    };
    expect(toStorable(data, (text) => text.replace("SECRET", "…"))).toEqual({
      data: {
        a: [1, null],
        "b/c": { d: null },
        whole: 85631680346320076800,
        big: "1152921504606846976",
        bigger: "12345678901234567890",
        small: 7,
        huge: 1e300,
        text: "…",
      },
      unrepresentable: [
        { pointer: "/a/1", reason: "NaN" },
        { pointer: "/b~1c/d", reason: "-Infinity" },
      ],
    });
  });

  it("keeps a key that JavaScript treats in its own way", () => {
    const data = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}') as object;
    expect(JSON.stringify(toStorable(data, (text) => text).data)).toBe(
      '{"__proto__":{"a":1},"constructor":2}',
    );
  });

  it("never cuts a character in two", () => {
    expect(makePreview("😀".repeat(300))).toBe("😀".repeat(256));
    expect(makePreview(`a${"😀".repeat(300)}`)).toBe(`a${"😀".repeat(255)}`);
  });
});

describe("trees", () => {
  const file = (blob: string): TreeFile => ({ blob, mode: "100644", eol: "lf" });
  const first = new Map([
    ["a.cu", file("1")],
    ["b.h", file("2")],
  ]);
  const second = new Map([
    ["b.h", file("3")],
    ["c.h", file("4")],
  ]);

  it("differ in changed, new and removed paths", () => {
    const changes = changedFiles(first, second);
    expect(changes).toEqual({ "a.cu": null, "b.h": file("3"), "c.h": file("4") });
    expect(applyFiles(first, changes)).toEqual(second);
  });

  it("have an id that does not depend on the order of files", () => {
    expect(treeId(new Map([...first].reverse()), sha256)).toBe(treeId(first, sha256));
    expect(treeId(first, sha256)).toBe(
      sha256(
        '{"a.cu":{"blob":"1","eol":"lf","mode":"100644"},"b.h":{"blob":"2","eol":"lf","mode":"100644"}}',
      ),
    );
  });

  it("list the blobs of their files", () => {
    const hex = "a".repeat(64);
    expect(
      blobsOf("tree.snapshot", {
        files: { "a.cu": { blob: hex } },
        other: { $blob: `sha256:${"b".repeat(64)}` },
      }),
    ).toEqual([hex, "b".repeat(64)]);
  });
});

describe("tokens for ATIF", () => {
  const unknown = {
    input_uncached: null,
    cache_read: null,
    cache_write: null,
    output: null,
    reasoning: null,
  };
  it.each([
    [
      { input_uncached: 100, cache_read: 30, cache_write: 20, output: 50, reasoning: 10 },
      {
        prompt_tokens: 150,
        cached_tokens: 30,
        completion_tokens: 50,
        extra: { cache_write_tokens: 20, reasoning_tokens: 10 },
      },
    ],
    [
      { ...unknown, input_uncached: 100, output: 5 },
      { prompt_tokens: 100, completion_tokens: 5 },
    ],
    [{ ...unknown, cache_read: 30 }, { extra: { cache_read_tokens: 30 } }],
    [unknown, {}],
  ])("%j", (usage, expected) => {
    expect(atifTokens(usage)).toEqual(expected);
  });
});
