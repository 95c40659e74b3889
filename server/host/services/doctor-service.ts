import { invariant } from "../../core/base/assert";
import type { DoctorRow, DoctorService } from "./services";

interface Piece {
  readonly piece: string;
  readonly probe: string;
  readonly cost: string;
  readonly remedy: string;
}

type Probe = (signal: AbortSignal) => Promise<Pick<DoctorRow, "state" | "detail" | "protections">>;

/** Asks every piece at once, each within its own time limit. */
export function createDoctorService(
  pieces: readonly Piece[],
  probes: Readonly<Record<string, Probe>>,
): DoctorService {
  return {
    examine: (signal) =>
      Promise.all(
        pieces.map(async (piece) => {
          const probe = probes[piece.probe];
          invariant(probe, `doctor-pieces.json names the probe "${piece.probe}"`);
          const { state, detail, protections } = await probe(signal);
          const found = state === "found";
          return {
            piece: piece.piece,
            state,
            detail,
            cost: found ? "" : piece.cost,
            remedy: found ? "" : piece.remedy,
            ...(protections && { protections }),
          };
        }),
      ),
  };
}
