import { chmod, cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { endEvent, openShelf, openStore, startEvent, withStore, readWhole } from "./session-fixtures";

/** A long text, which stands in a file beside the log. */
const longText = "what the model was told\n".repeat(4000);

/** A session with texts in files, and another place to bring them to. */
async function withElsewhere(
  check: (place: { readonly folder: string; readonly id: string; readonly root: string }) => Promise<void>,
): Promise<void> {
  await withStore(async (store, base) => {
    const log = await store.create();
    const tree = await log.snapshot({ "samples/transpose.cu": "// the baseline\n" }, null);
    await log.append(startEvent(tree));
    const text = await log.storeText(longText);
    await log.append({
      type: "message.user",
      actor: { kind: "user" },
      data: { message: "m1", text },
    });
    await log.append(endEvent);
    await log.close();
    await check({ folder: join(base, log.sessionId), id: log.sessionId, root: join(base, "mine") });
  });
}

it("a session from elsewhere becomes one of one's own, read-only and under a new name", () =>
  withElsewhere(async ({ folder, id, root }) => {
    const { sessionId, events, missingTexts } = await openShelf(root).bringIn(folder);
    expect([events, missingTexts]).toEqual([4, 0]);
    expect(sessionId).not.toBe(id);
    const store = openStore(root);
    const record = await readWhole(store, sessionId);
    expect(record.damaged).toBeUndefined();
    const said = record.events.find((event) => event.type === "message.user");
    expect(said && (await store.loadText(said.data.text))).toBe(longText);
    expect((await store.list()).map(({ kernel, status }) => [kernel, status])).toEqual([
      ["transpose", "no_gain"],
    ]);
    expect((await stat(join(root, sessionId, "events-000001.jsonl"))).mode & 0o777).toBe(0o400);
    expect((await readdir(root)).sort()).toEqual([sessionId, "blobs"].sort());
  }));

it("a file that stands alone is taken in as well, and what it lacks is counted", () =>
  withElsewhere(async ({ folder, root }) => {
    const file = join(root, "sent", "log.jsonl");
    await mkdir(join(root, "sent"), { recursive: true });
    await cp(join(folder, "events-000001.jsonl"), file);
    const { sessionId, missingTexts } = await openShelf(root).bringIn(file);
    await rm(file);
    expect(missingTexts).toBe(2);
    expect((await readWhole(openStore(root), sessionId)).events).toHaveLength(4);
  }));

const spoiled: readonly (readonly [string, (lines: readonly string[]) => string, RegExp])[] = [
  ["another file", () => "int main() {}\n", /:1: this is no event of a session/],
  ["nothing", () => "", /:1: this is no event of a session/],
  [
    "a changed line",
    ([a = "", b = "", ...rest]) => [a, b.replace("transpose", "reduction"), ...rest].join("\n"),
    /:2: event 2 was changed/,
  ],
  ["a line left out", ([a, , ...rest]) => [a, ...rest].join("\n"), /:2: event 2 is missing/],
  [
    "a line that is cut off",
    (lines) => lines.join("\n").slice(0, -20),
    /:4: .* bytes after the last whole line/,
  ],
  [
    "a changed end",
    (lines) => lines.join("\n").replace("no rule applied", "best of all rules"),
    /:4: segment events-000001.jsonl was changed/,
  ],
];

it.each(spoiled)("%s is refused with its line, and leaves nothing behind", (_name, spoil, sentence) =>
  withElsewhere(async ({ folder, root }) => {
    const path = join(folder, "events-000001.jsonl");
    await chmod(path, 0o600);
    await writeFile(path, spoil((await readFile(path, "utf8")).split("\n")));
    await mkdir(root, { recursive: true });
    await expect(openShelf(root).bringIn(folder)).rejects.toThrow(sentence);
    expect(await readdir(root)).toEqual([]);
  }),
);
