import { type Figures, FigureSum } from "./metric-map";

export interface MeasuredLaunch extends Figures {
  readonly id: string;
  readonly kernel: string;
  readonly grid: string;
  readonly block: string;
  /** Marketing name where the page has it, else `sm_NN`. */
  readonly device: string;
}

export interface MeasuredLine extends Figures {
  readonly kernel: string;
  readonly file: string;
  /** One-based. */
  readonly line: number;
}

/** What a rule of ncu says of a launch, in its own words. */
export interface Advice {
  readonly kernel: string;
  readonly rule: string;
  readonly text: string;
  /** Percent, as ncu estimates it. */
  readonly speedup?: number;
}

export interface LaunchSum {
  readonly head: Omit<MeasuredLaunch, keyof Figures>;
  readonly sum: FigureSum;
}

export interface LineSum {
  readonly head: Omit<MeasuredLine, keyof Figures>;
  readonly sum: FigureSum;
}

/** What the tables of a file add to. */
export class NcuSums {
  readonly launches = new Map<string, LaunchSum>();
  readonly lines = new Map<string, LineSum>();
  readonly advice: Advice[] = [];
  readonly messages: string[] = [];
  readonly names = new Set<string>();
  /** Of the source page: what stands above its table. */
  file = "";
  kernel = "";

  launch(head: LaunchSum["head"]): LaunchSum {
    const key = JSON.stringify([head.id, head.kernel]);
    const found = this.launches.get(key) ?? { head, sum: new FigureSum() };
    this.launches.set(key, found);
    return found;
  }

  line(number: number): LineSum {
    const head = { kernel: this.kernel, file: this.file, line: number };
    const key = JSON.stringify(head);
    const found = this.lines.get(key) ?? { head, sum: new FigureSum() };
    this.lines.set(key, found);
    return found;
  }
}
