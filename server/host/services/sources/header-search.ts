import type { FileReader } from "../../../core/ports/files";
import type { BuildPart, BuildSettings } from "../../../core/workload/build-settings";
import { folderOfIncluded, includedSuffixes } from "../../../core/workload/build/include-search";
import { readIfShown } from "./draw-in";

/** A folder around the workspace: what lies there may be included as well. */
export interface Project {
  /** Absolute. */
  readonly folder: string;
  /** The workspace's place in it. */
  readonly workspace: string;
  readonly files: FileReader;
}

/** Where headers lie that no known folder has: in the workspace, else in its project. Lists each once. */
export class HeaderSearch {
  private workspace: Promise<readonly string[]> | undefined;
  private around: Promise<readonly string[]> | undefined;

  constructor(
    private readonly files: FileReader,
    private readonly project: Project | undefined,
  ) {}

  /** The folder to search for an included name, as settings name it; nothing where none has it. */
  async folderOf(name: string, includer: string): Promise<BuildPart> {
    this.workspace ??= this.files.list("", includedSuffixes);
    const own = folderOfIncluded(name, await this.workspace, includer);
    if (own.includeFolders !== undefined || own.notes !== undefined || this.project === undefined) return own;
    const { files, folder, workspace } = this.project;
    this.around ??= files.list("", includedSuffixes);
    const headers = (await this.around).map((path) => `${folder}/${path}`);
    const near = includer.startsWith("/") ? includer : `${folder}/${workspace}/${includer}`;
    return folderOfIncluded(name, headers, includer, near);
  }

  /** A header in those include folders that lie in the project and not in the workspace. */
  async ofProject(
    name: string,
    { includeFolders }: BuildSettings,
  ): Promise<{ readonly path: string; readonly text: string } | undefined> {
    const { project } = this;
    if (project === undefined) return undefined;
    for (const { folder } of includeFolders) {
      const inside = `${folder}/`.startsWith(`${project.folder}/`);
      const text = inside
        ? await readIfShown(project.files, `${folder}/${name}`.slice(project.folder.length + 1))
        : undefined;
      if (text !== undefined) return { path: `${folder}/${name}`, text };
    }
    return undefined;
  }
}
