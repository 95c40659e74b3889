import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { readSkill, type Skill, writeSkill } from "../../core/agent/memory/skill";
import type { FileReader } from "../../core/ports/files";
import type { Identity } from "../../core/ports/identity";
import { errorCode, onDisk, writeWhole } from "./disk";

/** Where a repository keeps skills to share; they are read, and written by people alone. */
const repositoryFolder = ".kernelwright/skills";
const suffix = ".md";

/**
 * Skills as files that people can read: one for each, in a folder of the user's and in one of the repository.
 */
export class SkillFiles {
  constructor(
    private readonly folder: string,
    private readonly repository: FileReader,
    private readonly identity: Pick<Identity, "randomHex">,
  ) {}

  async load(): Promise<readonly Skill[]> {
    const [own, shared] = [await this.own(), await this.shared()];
    const names = new Set(own.map(({ id }) => id));
    return [...own, ...shared.filter(({ id }) => !names.has(id))];
  }

  /** Writes what is new or changed, and removes the files of skills that are no more. */
  async save(skills: readonly Skill[]): Promise<void> {
    const before = new Map((await this.own()).map((skill) => [skill.id, writeSkill(skill)]));
    const shared = new Map((await this.shared()).map((skill) => [skill.id, writeSkill(skill)]));
    const wanted = new Map(
      skills
        .map((skill): [string, string] => [skill.id, writeSkill(skill)])
        // What the repository brings stays there until its use has changed it.
        .filter(([id, text]) => before.has(id) || shared.get(id) !== text),
    );
    await onDisk("keeping skills", this.folder, async () => {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      for (const [id, text] of wanted)
        if (before.get(id) !== text) await writeWhole(this.pathOf(id), text, this.identity.randomHex(4));
      for (const id of before.keys()) if (!wanted.has(id)) await rm(this.pathOf(id), { force: true });
    });
  }

  private async own(): Promise<readonly Skill[]> {
    const names = await onDisk("reading skills", this.folder, () =>
      readdir(this.folder).catch((thrown: unknown) => {
        if (errorCode(thrown) === "ENOENT") return [];
        throw thrown;
      }),
    );
    const texts = names
      .filter((name) => name.endsWith(suffix))
      .map((name) => onDisk("reading skills", this.folder, () => readFile(join(this.folder, name), "utf8")));
    return skillsOf(await Promise.all(texts));
  }

  private async shared(): Promise<readonly Skill[]> {
    const paths = await this.repository.list(repositoryFolder, [suffix]);
    return skillsOf(await Promise.all(paths.map((path) => this.repository.read(path))));
  }

  private pathOf(id: string): string {
    return join(this.folder, `${id}${suffix}`);
  }
}

/** Files that are no skills are left alone. */
function skillsOf(texts: readonly (string | undefined)[]): readonly Skill[] {
  return texts.flatMap((text) => {
    const skill = text === undefined ? undefined : readSkill(text);
    return skill === undefined ? [] : [skill];
  });
}
