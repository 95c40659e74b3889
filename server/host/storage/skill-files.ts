import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { readSkill, type Skill, writeSkill } from "../../core/agent/memory/skill";
import type { FileReader } from "../../core/ports/files";
import type { Identity } from "../../core/ports/identity";
import { errorCode, onDisk, writeWhole } from "./disk";

/** Where a repository keeps skills to share; they are read, and written by people alone. */
const repositoryFolder = ".kernelwright/skills";
const suffix = ".md";

/** Ids, one a line, in the user's folder; a line that is taken out brings its skill back. */
const forgottenFile = "forgotten.txt";

interface SkillFilesOptions {
  readonly repository: FileReader;
  /** The texts of the skills that come with the product. */
  readonly shipped: () => Promise<readonly string[]>;
  readonly identity: Pick<Identity, "randomHex">;
}

/**
 * Skills as files that people can read: one for each, in a folder of the user's, in one of the repository and
 * in one of the product.
 */
export class SkillFiles {
  /** `folder`: the user's own. */
  constructor(
    private readonly folder: string,
    private readonly options: SkillFilesOptions,
  ) {}

  async load(): Promise<readonly Skill[]> {
    const [own, brought, forgotten] = [await this.own(), await this.brought(), await this.forgotten()];
    const names = new Set([...own.map(({ id }) => id), ...forgotten]);
    return [...own, ...brought.filter(({ id }) => !names.has(id))];
  }

  /** Writes what is new or changed, and removes the files of skills that are no more. */
  async save(skills: readonly Skill[]): Promise<void> {
    const before = new Map((await this.own()).map((skill) => [skill.id, writeSkill(skill)]));
    const brought = new Map((await this.brought()).map((skill) => [skill.id, writeSkill(skill)]));
    const kept = new Set(skills.map(({ id }) => id));
    const forgotten = await this.forgotten();
    const newlyForgotten = [...brought.keys()].filter((id) => !kept.has(id) && !forgotten.has(id));
    const wanted = new Map(
      skills
        .map((skill): [string, string] => [skill.id, writeSkill(skill)])
        // What is brought stays where it is until its use has changed it.
        .filter(([id, text]) => before.has(id) || brought.get(id) !== text),
    );
    await onDisk("keeping skills", this.folder, async () => {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      for (const [id, text] of wanted)
        if (before.get(id) !== text)
          await writeWhole(this.pathOf(id), text, this.options.identity.randomHex(4));
      for (const id of before.keys()) if (!wanted.has(id)) await rm(this.pathOf(id), { force: true });
      if (newlyForgotten.length > 0)
        await writeWhole(
          join(this.folder, forgottenFile),
          `${[...forgotten, ...newlyForgotten].join("\n")}\n`,
          this.options.identity.randomHex(4),
        );
    });
  }

  /** Those that others bring and that did not help here. */
  private async forgotten(): Promise<ReadonlySet<string>> {
    const text = await onDisk("reading skills", this.folder, () =>
      readFile(join(this.folder, forgottenFile), "utf8").catch((thrown: unknown) => {
        if (errorCode(thrown) === "ENOENT") return "";
        throw thrown;
      }),
    );
    return new Set(text.split(/\s+/).filter((id) => id !== ""));
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

  /** Of the repository, and behind them ours of other names. */
  private async brought(): Promise<readonly Skill[]> {
    const { repository, shipped } = this.options;
    const paths = await repository.list(repositoryFolder, [suffix]);
    const shared = skillsOf(await Promise.all(paths.map((path) => repository.read(path))));
    const names = new Set(shared.map(({ id }) => id));
    return [...shared, ...skillsOf(await shipped()).filter(({ id }) => !names.has(id))];
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
