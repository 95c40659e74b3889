import type { TimelineStep } from "../../../server/core/trajectory/timeline/step";
import type { PerformanceView } from "../../../server/protocol/performance-views";
import type { StepLabel, StepView, TimelineView } from "../../../server/protocol/timeline-views";
import type { SessionView } from "../../../server/protocol/views";

/** What the extension sends to the page of a trajectory. */
export type ToTrajectoryPage =
  /** The next rows; after the first message only what is new. */
  | { readonly kind: "timeline"; readonly view: TimelineView }
  | { readonly kind: "step"; readonly view: StepView }
  | { readonly kind: "labels"; readonly labels: readonly StepLabel[] }
  /** Something could not be done; a sentence for the user. */
  | { readonly kind: "failed"; readonly sentence: string };

/** What the page of a trajectory asks of the extension. */
export type FromTrajectoryPage =
  | { readonly kind: "ready" }
  /** Everything about one event. */
  | { readonly kind: "step"; readonly seq: number }
  /** The user wants to label an event. */
  | { readonly kind: "label"; readonly seq: number }
  | { readonly kind: "open"; readonly candidate: string; readonly what: CandidateSight };

/** What is opened of a candidate: what it changes, its file, or what it does to the GPU. */
export type CandidateSight = "change" | "file" | "performance";

/** What the extension sends to the page that compares two sessions. */
export type ToComparisonPage =
  | {
      readonly kind: "sessions";
      readonly sessions: readonly {
        readonly session: SessionView;
        readonly steps: readonly TimelineStep[];
      }[];
    }
  | { readonly kind: "failed"; readonly sentence: string };

/** What that page asks of the extension. */
export type FromComparisonPage =
  | { readonly kind: "ready" }
  /** The trajectory of one of them. */
  | { readonly kind: "open"; readonly sessionId: string };

/** Something that the product can use, as the doctor's page shows it. */
export interface DoctorCard {
  readonly piece: string;
  readonly state: "found" | "missing" | "unusable";
  readonly detail: string;
  readonly cost: string;
  /** A line for a shell, or a sentence; empty for none. */
  readonly remedy: string;
  /** What keeps it as it is; empty for nothing. */
  readonly note: string;
  /** Titles. */
  readonly buttons: readonly string[];
  /** Of the walls around candidates: each of them. */
  readonly protections: readonly DoctorProtection[];
}

/** One of the walls around a candidate's code, as the doctor's page shows it. */
export interface DoctorProtection {
  readonly title: string;
  /** What it keeps from happening. */
  readonly against: string;
  readonly isActive: boolean;
  /** What brings it about; empty where it is active. */
  readonly mend: string;
}

/** What the extension sends to the doctor's page. */
export type ToDoctorPage =
  | { readonly kind: "looking" }
  | { readonly kind: "cards"; readonly cards: readonly DoctorCard[] }
  | { readonly kind: "failed"; readonly sentence: string };

/** What that page asks of the extension. */
export type FromDoctorPage =
  | { readonly kind: "look" }
  /** By the index of the button. */
  | { readonly kind: "press"; readonly piece: string; readonly button: number };

/** What the page of a kernel's performance can ask for, beside the kernel. */
export interface AskedPerformance {
  /** Index among the shapes. */
  readonly shape: number;
  /** To compare with. */
  readonly gpu?: string | undefined;
  readonly again?: boolean;
}

/** What the extension sends to the page of a kernel's performance. */
export type ToPerformancePage =
  | {
      readonly kind: "view";
      readonly view: PerformanceView;
      /** What opens this page again after a reload of the window. */
      readonly page: Readonly<Record<string, string>>;
      /** Read from a log: nothing can be run again. */
      readonly isRecorded: boolean;
    }
  | { readonly kind: "failed"; readonly sentence: string };

/** What that page asks of the extension. */
export interface FromPerformancePage {
  readonly kind: "ask";
  readonly asked: AskedPerformance;
}
