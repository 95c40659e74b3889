import type { JsonObject } from "../../../core/base/json";
import { OperationalError } from "../../../core/base/operational-error";
import type { WorkerConnection } from "../transport/connection";
import { textIn } from "../transport/read-json";
import type { Transport } from "../transport/transport";
import { missingWalls, requiredWalls, wallsMissing, wallsRemark } from "../transport/walls";
import { connect } from "../transport/worker-handle";

/** A process that waits for its candidate, and what verdicts say of it (that it has no walls). */
export interface CandidateProcess {
  readonly connection: WorkerConnection;
  readonly remarks: readonly string[];
}

/** Versions of Triton that were tried. */
const checkedTriton = "3.4 to 3.8";

/**
 * Candidate processes: each is used once and then ended. One is kept waiting with torch and triton imported,
 * so that the next candidate does not wait for that.
 */
export class CandidatePool {
  private waiting: Promise<CandidateProcess> | undefined;
  private closed = false;
  /** Found out once: a machine gets no walls while we run. */
  private unwalled: OperationalError | undefined;
  private held: readonly string[] = [];

  /** `withoutWalls`: the user agreed that candidates run on machines that have no walls. */
  constructor(
    private readonly transport: Transport,
    private readonly withoutWalls: boolean,
  ) {}

  /** Walls that candidates need, of those that the last process said it has. */
  get walls(): readonly string[] {
    return this.held;
  }

  /** Starts a process ahead of the first candidate. */
  warm(): void {
    if (this.waiting !== undefined || this.closed) return;
    this.waiting = this.start();
    // Who takes it sees the failure; until then nobody needs to know.
    this.waiting.catch(() => undefined);
  }

  /**
   * A fresh process. The caller closes it. Throws `walls-missing` where none can be walled off and the user
   * has not agreed, `tool-missing` without torch or triton.
   */
  async take(): Promise<CandidateProcess> {
    const ready = this.waiting;
    this.waiting = undefined;
    const found = await ready?.catch(rethrowLasting);
    const taken = found !== undefined && !found.connection.lost ? found : await this.start();
    this.warm();
    return taken;
  }

  async close(): Promise<void> {
    this.closed = true;
    const found = await this.waiting?.catch(() => undefined);
    await found?.connection.close();
  }

  private async start(): Promise<CandidateProcess> {
    if (this.unwalled !== undefined) throw this.unwalled;
    const { connection, hello } = await connect(this.transport, "candidate");
    const problem = this.refusal(hello);
    const missing = missingWalls(hello);
    this.held = requiredWalls.filter((name) => !missing.includes(name));
    if (problem === undefined)
      return { connection, remarks: missing.length === 0 ? [] : [wallsRemark(missing)] };
    await connection.close();
    if (problem.code === "walls-missing") this.unwalled = problem;
    throw problem;
  }

  /** What the hello tells, which precedes every line of a candidate, and which alone is believed. */
  private refusal(hello: JsonObject): OperationalError | undefined {
    if (textIn(hello, "torch") === "")
      return new OperationalError("tool-missing", {
        forUser: `Python has no usable ${textIn(hello, "lacking")}, which Triton kernels need; CUDA kernels still work without it`,
        remedy: "pip install torch triton numpy",
      });
    if ("unfit" in hello) return unfit(hello);
    const missing = missingWalls(hello);
    if (missing.length === 0 || this.withoutWalls) return undefined;
    return wallsMissing(missing, this.transport.description);
  }
}

/** Why a Python cannot check Triton kernels although it has torch and Triton. */
function unfit(hello: JsonObject): OperationalError {
  const versions = `Triton ${textIn(hello, "triton")} and torch ${textIn(hello, "torch")}`;
  return new OperationalError("tool-missing", {
    forUser: `${textIn(hello, "program")} has ${versions}, with which Triton kernels cannot be checked (${textIn(hello, "unfit")}); Triton ${checkedTriton} can. Name another Python: --python PYTHON, KERNELWRIGHT_PYTHON, or the setting kernelwright.python`,
    remedy: "pip install torch==2.13.0 triton==3.8.0 numpy",
  });
}

/** Reports at once what another start would fail with again; anything else is tried anew. */
function rethrowLasting(thrown: unknown): undefined {
  if (
    thrown instanceof OperationalError &&
    (thrown.code === "walls-missing" || thrown.code === "tool-missing")
  )
    throw thrown;
  return undefined;
}
