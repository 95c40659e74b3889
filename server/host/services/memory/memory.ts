import { isCommandTask, type LoopTask } from "../../../core/agent/dependencies";
import { learn } from "../../../core/agent/memory/learning";
import type { Past } from "../../../core/agent/memory/past";
import type { Skill } from "../../../core/agent/memory/skill";
import { OperationalError } from "../../../core/base/operational-error";
import type { RunStore, SessionLog } from "../../../core/ports/run-store";
import { formatTarget } from "../../../core/timing/target";
import { pastSessions } from "./past-sessions";

/** The user's skills, and those that the repository brings. */
export interface SkillLibrary {
  /** Both; a skill of the user's goes before one of the same name in the repository. */
  load(): Promise<readonly Skill[]>;
  /** The user's own, as they are to be from now on. */
  save(skills: readonly Skill[]): Promise<void>;
}

interface MemoryOptions {
  readonly store: RunStore;
  readonly skills: SkillLibrary;
}

/** Earlier sessions on the same kernel, and skills. */
export async function knownBefore(
  options: MemoryOptions & Parameters<typeof pastSessions>[0],
  ownId: string,
  own: Parameters<typeof pastSessions>[2],
): Promise<Past> {
  const [sessions, skills] = await Promise.all([pastSessions(options, ownId, own), options.skills.load()]);
  return { ...sessions, skills };
}

/**
 * Puts what a session verified into the user's library. A disk that is full costs the library, not the
 * session that ended.
 */
export async function learnFrom(
  { skills }: Pick<MemoryOptions, "skills">,
  log: SessionLog,
  { evaluation }: LoopTask,
): Promise<void> {
  if (isCommandTask(evaluation)) return;
  try {
    const events = await log.logged.all();
    const { dialect, kernel } = evaluation.spec;
    const target = formatTarget(evaluation.target);
    const loadTree: SessionLog["loadTree"] = (treeId) => log.loadTree(treeId);
    const loadText: SessionLog["loadText"] = (stored) => log.loadText(stored);
    const from = { dialect, kernel, target, events, loadTree, loadText };
    await skills.save(await learn(await skills.load(), from));
  } catch (thrown) {
    if (!(thrown instanceof OperationalError)) throw thrown;
  }
}
