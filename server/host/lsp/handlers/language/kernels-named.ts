import type { KernelFacts } from "../../../../core/language/facts";
import type { ServerContext } from "../../context";
import { digestOf, type OpenDocument } from "../../documents";

/** A kernel and the document that defines it. */
export interface NamedKernel {
  readonly uri: string;
  readonly facts: KernelFacts;
  /** Of the document's text. */
  readonly digest: string;
}

/** A document of the workspace that mentions a name; whoever asked disposes those that are not open. */
export interface Mention {
  /** Workspace-relative. */
  readonly path: string;
  readonly document: OpenDocument;
  readonly open: boolean;
}

const identifier = /^[A-Za-z_]\w*$/;

/**
 * Hands on every document of the workspace, of the dialect of `uri`, that mentions a name: as the editor has
 * it, else as it is on disk. Documents live until `use` has ended.
 */
export async function withMentions<Result>(
  context: ServerContext,
  { uri, name }: { readonly uri: string; readonly name: string },
  use: (mentions: readonly Mention[]) => Promise<Result> | Result,
): Promise<Result> {
  const own = context.documents.get(uri);
  if (own?.dialect === undefined || !identifier.test(name)) return use([]);
  const { dialect } = own;
  const { services, folder } = await context.workspaces.placeOf(uri);
  const found = await services.names.mentioning(name, dialect);
  const mentions = found.map(({ path, text }): Mention => {
    const item = { uri: context.workspaces.uriOf(folder, path), languageId: "", version: 0, text };
    const document = context.documents.get(item.uri);
    const known = document?.dialect === undefined ? undefined : document;
    return known === undefined
      ? { path, document: context.documents.create(item, dialect), open: false }
      : { path, document: known, open: true };
  });
  const unsaved = mentions.some(({ document }) => document.uri === uri) ? [] : [ownMention(context, own)];
  try {
    return await use([...unsaved, ...mentions]);
  } finally {
    for (const { document, open } of mentions) if (!open) document.dispose();
  }
}

function ownMention(context: ServerContext, document: OpenDocument): Mention {
  return { path: context.workspaces.locate(document.uri)?.file ?? document.uri, document, open: true };
}

/**
 * Kernels with a name that a document may mean: its own, else those of the files that it includes or imports,
 * else any of the workspace.
 */
export async function kernelsNamed(
  context: ServerContext,
  uri: string,
  name: string,
): Promise<readonly NamedKernel[]> {
  const own = definedIn(context.documents.get(uri), name);
  if (own.length > 0) return own;
  return withMentions(context, { uri, name }, async (mentions) => {
    const definers = mentions.filter(({ document }) => definedIn(document, name).length > 0);
    const meant = await meantBy(context, uri, definers);
    return meant.flatMap(({ document }) => definedIn(document, name));
  });
}

/** Of several documents that define a name, those that a document draws in; all where it draws in none. */
export async function meantBy(
  context: ServerContext,
  uri: string,
  definers: readonly Mention[],
): Promise<readonly Mention[]> {
  const document = context.documents.get(uri);
  if (definers.length < 2 || document === undefined) return definers;
  const { services, file } = await context.workspaces.placeOf(uri);
  const drawn = new Set(await services.names.drawsIn(file, document.text));
  const near = definers.filter(({ path }) => drawn.has(path));
  return near.length > 0 ? near : definers;
}

function definedIn(document: OpenDocument | undefined, name: string): readonly NamedKernel[] {
  if (document === undefined) return [];
  const { uri, text } = document;
  const found = document.findKernels().filter((facts) => facts.name === name);
  return found.map((facts) => ({ uri, facts, digest: digestOf(text) }));
}
