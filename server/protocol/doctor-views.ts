/** Something that the product can use, whether it is there, and what mends its absence in the editor. */
export interface DoctorRowView {
  /** `CUDA compiler`, `Triton` … */
  readonly piece: string;
  readonly state: "found" | "missing" | "unusable";
  readonly detail: string;
  /** What its absence costs; empty when found. */
  readonly cost: string;
  /** What gets it, for people; empty when found. */
  readonly remedy: string;
  readonly mends: DoctorMendsView;
  /** Of the walls around candidates: each of them; empty for other pieces. */
  readonly protections: readonly ProtectionView[];
}

/** One of the walls around a candidate's code. */
interface ProtectionView {
  readonly title: string;
  /** What it keeps from happening. */
  readonly against: string;
  readonly isActive: boolean;
  /** What brings it about; empty where it is active. */
  readonly mend: string;
}

export interface DoctorMendsView {
  /** The remedy is a line that a shell can run as it is. */
  readonly runs: boolean;
  /** The setting that it depends on, without `kernelwright.`; empty without one. */
  readonly setting: string;
  /** Where that setting is set, it alone decides: the remedy helps nothing. */
  readonly decides: boolean;
  /** Commands that mend it, without `kernelwright.`. */
  readonly commands: readonly string[];
}
