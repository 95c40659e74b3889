import type { SessionFeed } from "../../sessions/session-feed";
import type { RunChannels } from "../../sessions/run-channels";
import type { OptionStore } from "../../starting/option-store";
import type { SampleKernel } from "../../starting/sample-kernel";
import type { SessionStore } from "../../sessions/session-store";
import type { Comparisons } from "../../trajectory/comparison";
import type { TrajectoryEditor } from "../../trajectory/trajectory-editor";
import type { SessionTree } from "../../views/session-tree";

/** What knows and shows sessions, and how new ones are made. */
export interface SessionParts {
  readonly sessions: SessionStore;
  readonly sample: SampleKernel;
  readonly options: OptionStore;
  readonly feed: SessionFeed;
  readonly sessionTree: SessionTree;
  readonly channels: RunChannels;
  readonly trajectories: TrajectoryEditor;
  readonly comparisons: Comparisons;
}
