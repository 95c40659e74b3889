import { isAbsolute, join } from "node:path";
import type { Connection } from "vscode-languageserver";
import { OperationalError } from "../../core/base/operational-error";
import type { Settings } from "../../protocol/settings";
import type { Services } from "../services/services";
import type { User } from "../../core/ports/user";
import { editorUser } from "./models/editor-user";
import { FolderList, folderDigest } from "./handshake/folder-list";
import { show } from "./handshake/user-language";
import { createEditorModels, type EditorModels } from "./models/editor-models";
import { uriOfPath } from "./uris";

/** What the composition root is told when it opens the services of one folder. */
interface OpenServicesOptions {
  readonly workspaceFolder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly model?: string;
  readonly endpoint?: string;
  /** `judge=MODEL`. */
  readonly role?: readonly string[];
  readonly python?: string;
  readonly gpuPython?: string;
  readonly nvcc?: string;
  readonly sessionsFolder?: string;
  readonly withoutWalls?: boolean;
  readonly exclude?: readonly string[];
  /** Asks the editor's secret storage for the model key; undefined when there is none. */
  readonly modelKey?: (endpoint: string) => Promise<string | undefined>;
  readonly editorModels?: EditorModels;
  /** Whom models may ask. */
  readonly user?: User;
  /** Is told while another process has the GPU of a target. */
  readonly onGpuWait?: (said: () => string) => void;
}

export type OpenServices = (options: OpenServicesOptions) => Promise<Services>;

export interface FolderServices {
  readonly services: Services;
  /** Absolute path as the client names it. */
  readonly folder: string;
}

/** A file as a service knows it: its folder's services and its path there. */
interface FilePlace extends FolderServices {
  /** Workspace-relative POSIX path. */
  readonly file: string;
}

interface WorkspacesOptions {
  readonly openServices: OpenServices;
  readonly environment: NodeJS.ProcessEnv;
  readonly modelKey: (endpoint: string) => Promise<string | undefined>;
  readonly connection: Parameters<typeof createEditorModels>[0] & Pick<Connection, "sendNotification">;
  /** An editor with our extension. */
  readonly isOwnClient: () => boolean;
  /** The settings of a folder as they are now. */
  readonly settings: (folder: string) => Settings;
}

/** The workspace folders and, opened when first needed, the services of each. */
export class Workspaces {
  readonly folders = new FolderList();
  private readonly opened = new Map<string, Promise<Services>>();

  constructor(private readonly options: WorkspacesOptions) {}

  /** Folder and path of a file; see `FolderList`. */
  locate(uri: string): ReturnType<FolderList["locate"]> {
    return this.folders.locate(uri);
  }

  /** The services for a file. Throws `file-not-found` for a document that lies in no file. */
  async placeOf(uri: string): Promise<FilePlace> {
    const place = this.locate(uri);
    if (place === undefined)
      throw new OperationalError("file-not-found", {
        forUser: `${uri} has not been saved. Save it in the workspace first.`,
      });
    return { ...place, services: await this.servicesOf(place.folder) };
  }

  servicesOf(folder: string): Promise<Services> {
    const known = this.opened.get(folder);
    if (known !== undefined) return known;
    const settings = this.options.settings(folder);
    const opening = this.options.openServices({
      workspaceFolder: folder,
      environment: this.options.environment,
      modelKey: this.options.modelKey,
      editorModels: createEditorModels(this.options.connection, this.options.isOwnClient),
      user: editorUser(this.options.connection, this.options.isOwnClient),
      onGpuWait: (said) => {
        const params = { text: show(said) };
        // An editor that has gone waits for nothing.
        this.options.connection.sendNotification("kernelwright/gpuWaited", params).catch(() => undefined);
      },
      ...given("model", settings["model.name"]),
      ...given("endpoint", settings["model.endpoint"]),
      ...given("modelOptions", settings["model.options"]),
      role: settings["model.roles"].split(/\s+/).filter((text) => text !== ""),
      ...given("toolServers", settings["model.toolServers"]),
      ...given("modelPrice", settings["model.price"]),
      ...given("python", settings.python),
      ...given("gpuPython", settings.gpuPython),
      ...given("nvcc", settings.nvcc),
      ...given("sessionsFolder", settings.sessionsFolder),
      withoutWalls: settings.allowUnwalledCandidates,
      exclude: settings.exclude,
    });
    this.opened.set(folder, opening);
    opening.catch(() => this.opened.delete(folder));
    return opening;
  }

  /** The first folder, or the current one when the editor has no folder open. */
  first(): Promise<FolderServices> {
    return this.ofFolder(this.folders.paths[0] ?? process.cwd());
  }

  /** Every folder of the workspace, with what sessions name it by. */
  all(): Promise<readonly (FolderServices & { readonly workspace: string })[]> {
    return Promise.all(
      this.folders.paths.map(async (folder) => ({
        ...(await this.ofFolder(folder)),
        workspace: folderDigest(folder),
      })),
    );
  }

  /** The folder with this digest (`session.started` carries it), else the first. */
  byDigest(workspaceDigest: string | undefined): Promise<FolderServices> {
    const folder = this.folderOf(workspaceDigest);
    return folder === undefined ? this.first() : this.ofFolder(folder);
  }

  /**
   * Whether a folder with this digest is open here. A session that does not say where it is from is shown
   * rather than hidden.
   */
  holds(workspaceDigest: string): boolean {
    return workspaceDigest === "" || this.folderOf(workspaceDigest) !== undefined;
  }

  /** A session's file as people call it: with the name of its folder where several are open. */
  withShownFile<Placed extends { readonly file: string; readonly workspace: string }>(
    placed: Placed,
  ): Placed {
    if (this.folders.paths.length < 2) return placed;
    return { ...placed, file: this.folders.shownFile(this.folderOf(placed.workspace), placed.file) };
  }

  private folderOf(workspaceDigest: string | undefined): string | undefined {
    const { paths } = this.folders;
    const current = paths.length === 0 ? [process.cwd()] : [];
    return [...paths, ...current, ...this.opened.keys()].find(
      (candidate) => folderDigest(candidate) === workspaceDigest,
    );
  }

  /**
   * URI of a file as the client names its folder (links are not resolved: the client would see another
   * document).
   */
  uriOf(folder: string, file: string): string {
    return uriOfPath(isAbsolute(file) ? file : join(folder, ...file.split("/")));
  }

  private async ofFolder(folder: string): Promise<FolderServices> {
    return { folder, services: await this.servicesOf(folder) };
  }

  /** Ends all services; the next request opens fresh ones with the settings of then. */
  async close(): Promise<void> {
    const ending = [...this.opened.values()];
    this.opened.clear();
    await Promise.all(ending.map(async (opening) => (await opening.catch(() => undefined))?.dispose()));
  }
}

/** An entry for a text that is set; the empty text means "not set" in the settings. */
function given<Name extends string>(name: Name, value: string): { readonly [Key in Name]?: string } {
  return value === "" ? {} : ({ [name]: value } as { readonly [Key in Name]: string });
}
