import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSkill, type Skill } from "../../server/core/agent/memory/skill";
import { learn } from "../../server/core/agent/memory/learning";
import { known, mustGet } from "../../server/core/base/known";
import type { SourceTree } from "../../server/core/judge/candidate";
import { defaultTarget, formatTarget } from "../../server/core/timing/target";
import { composeServices } from "../../server/host/compose";
import { inRepository } from "../../server/setup/support/layout.mjs";
import type { Bench, Measurement } from "./bench";
import kernels from "./skills.json";

/** The skills that come with the product, by their ids. */
export function shippedSkills(): ReadonlyMap<string, Skill> {
  return skillsIn(inRepository("server", "core", "agent", "memory", "skills"));
}

function skillsIn(folder: string): ReadonlyMap<string, Skill> {
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => readFileSync(join(folder, name), "utf8"));
  const skills = texts.map((text) => known(readSkill(text), "a skill in the file of one"));
  return new Map(skills.map((skill) => [skill.id, skill]));
}

/**
 * Makes every skill that comes with the product again: a session of the rulebook on its kernel, judged on the
 * virtual GPU.
 */
export const skillsBench: Bench = {
  name: "skills",
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), "kernelwright-skills-"));
    try {
      cpSync(inRepository("test", "cases", "unseen"), join(folder, "kernels"), { recursive: true });
      cpSync(inRepository("samples"), join(folder, "kernels", "samples"), { recursive: true });
      const rows: Measurement[] = [];
      for (const [id, file] of Object.entries(kernels)) {
        const shipped = mustGet(shippedSkills(), id);
        const learnt = await optimize(folder, file, shipped.dialect);
        rows.push(
          compared(
            shipped,
            learnt.find((skill) => skill.id.startsWith(`${id}-`)),
          ),
        );
      }
      return rows;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** What a session of the rulebook teaches to a library that has nothing yet. */
async function optimize(folder: string, file: string, dialect: Skill["dialect"]): Promise<readonly Skill[]> {
  const services = await composeServices({
    workspaceFolder: join(folder, "kernels"),
    sessionsFolder: join(folder, "sessions"),
    environment: process.env,
  });
  try {
    const running = await services.optimize.start({
      ...{ file, target: defaultTarget, strategy: "rulebook" },
      budget: { usd: 0, minutes: 5, candidates: 24 },
      signal: new AbortController().signal,
      onEvent: () => undefined,
    });
    await running.finished;
    const events = await (await services.sessions.read(running.sessionId)).logged.all();
    const [kernel = ""] = events.flatMap((event) =>
      event.type === "session.started" ? [event.data.task.kernel] : [],
    );
    const loadTree = (): Promise<SourceTree> => Promise.resolve({});
    const loadText = (): Promise<string> => Promise.resolve("");
    const target = formatTarget(defaultTarget);
    return await learn([], { dialect, kernel, target, events, loadTree, loadText });
  } finally {
    await services.dispose();
  }
}

function compared({ id, gain, before, after }: Skill, made: Skill | undefined): Measurement {
  if (made === undefined) throw new Error(`${id} is not verified: its kernel's session found no such gain`);
  return {
    metric: `${id} (${before} → ${after})`,
    value: made.gain,
    unit: "times",
    versus: `${gain} in its file`,
    ratio: Number((made.gain / gain).toPrecision(3)),
  };
}
