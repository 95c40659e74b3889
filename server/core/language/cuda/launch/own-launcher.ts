import { enclosing, partsOf } from "../../query";
import type { SyntaxNode } from "../../tree";
import { type CudaLaunch, cudaLaunches } from "../launches";
import { fileConstants } from "../constants";

/** A function that does nothing but launch a kernel with its own parameters in their order. */
interface OwnLauncher {
  readonly launch: CudaLaunch;
  /** Offsets of the function in the text, with a comment right above it. */
  readonly start: number;
  readonly end: number;
}

/**
 * The only launch of a kernel in a text, where it is the only statement of a function that hands its first
 * parameters on: such a function says how the kernel is launched, and does nothing else. `none` where nothing
 * launches the kernel, `other` where something else does.
 */
export function ownLauncher(root: SyntaxNode, kernel: string): OwnLauncher | "none" | "other" {
  const name = kernel.split("::").at(-1);
  const launches = cudaLaunches(root, fileConstants(root)).filter(({ site }) => site.kernel === name);
  const [launch, ...others] = launches;
  if (launch === undefined) return "none";
  const { host, site, call } = launch;
  if (others.length > 0 || host === undefined) return "other";
  const handedOn = site.arguments.every((passed, place) => passed === site.hostParameters[place]);
  const [statement, ...more] = partsOf(host.childForFieldName("body"));
  const alone = more.length === 0 && call.parent?.id === statement?.id;
  const template = enclosing(host, "template_declaration") !== undefined;
  if (!handedOn || !alone || template) return "other";
  const above = host.previousNamedSibling;
  const comment = above?.type === "comment" && above.endPosition.row + 1 === host.startPosition.row;
  return { launch, start: comment ? above.startIndex : host.startIndex, end: host.endIndex };
}
