import type { KernelParams } from "../../../protocol/requests";
import type { DocumentStore } from "../documents";
import type { Workspaces } from "../workspaces";
import { KernelIndex } from "./kernel-index";
import { type KernelVerdict, VerdictBoard } from "./verdict-board";

/** The kernels of the workspace and what checks said of them. */
export interface KernelBoard {
  readonly index: KernelIndex;
  readonly verdicts: VerdictBoard;
}

export type { KernelVerdict };

/** `changed`: told when there is another verdict. */
export function createKernelBoard(
  workspaces: Workspaces,
  documents: DocumentStore,
  changed: (kernel: KernelParams) => void,
): KernelBoard {
  return { index: new KernelIndex(workspaces, documents), verdicts: new VerdictBoard(changed) };
}
