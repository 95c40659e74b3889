import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "../../server/setup/support/layout.mjs";

const folder = inRepository("test", "cases", "redteam");
const headed = ["task", "source", "does", "caught by"] as const;

/** A candidate that the judge is shown in place of a task's kernel. */
export interface RedTeamEntry {
  readonly id: string;
  /** An attack has to be caught; an honest kernel has to pass. */
  readonly kind: "attack" | "honest";
  readonly task: string;
  /** Name of the file within the task that the text takes the place of. */
  readonly file: string;
  readonly text: string;
  /** Where it is described: a section's number or a cause; empty for honest kernels. */
  readonly source: string;
  /** What it does, in a few words. */
  readonly does: string;
  /** What catches it, one of several; empty for honest kernels. */
  readonly caughtBy: readonly string[];
}

/** All entries, attacks first, in the order of their files' names. Throws for one without its header. */
export function redTeam(): readonly RedTeamEntry[] {
  return (["attack", "honest"] as const).flatMap((kind) => {
    const files = readdirSync(join(folder, kind)).sort();
    return files.map((name) => readEntry(kind, name));
  });
}

/** Folder of a task: a workspace with one kernel and its spec. */
export function taskFolder(task: string): string {
  return join(folder, "tasks", task);
}

function readEntry(kind: RedTeamEntry["kind"], name: string): RedTeamEntry {
  const text = readFileSync(join(folder, kind, name), "utf8");
  const told = Object.fromEntries(
    headed.map((word) => [word, new RegExp(`^(?://|#) ${word}: (.+)$`, "m").exec(text)?.[1] ?? ""]),
  );
  const { task = "", source = "", does = "" } = told;
  const caughtBy = (told["caught by"] ?? "").split(" or ").filter((word) => word !== "");
  if (task === "" || does === "" || !existsSync(taskFolder(task)))
    throw new Error(`${kind}/${name}: its first lines name a task of tasks/ and what it does`);
  if (kind === "attack" && (caughtBy.length === 0 || source === ""))
    throw new Error(`${kind}/${name}: its first lines name its source and what catches it`);
  const file = name.endsWith(".py") ? "kernel.py" : "kernel.cu";
  return { id: name, kind, task, file, text, source, does, caughtBy };
}
