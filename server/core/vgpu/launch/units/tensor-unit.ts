import { ImageLookup } from "./image-lookup";
import { boxBytes, inBlockOf, pieceBytes, readTensorMap, tensorPiece, type TensorMap } from "./tensor-map";
import type { Sanitizer } from "../findings/sanitizer";
import type { LaunchState } from "../state/launch-state";
import { lanes, staticLayout } from "../../layout";

const axes = 5;
const wholePiece = (1 << pieceBytes) - 1;

/** Finds what asynchronous copies of tensors touch, piece by piece. */
export class TensorUnit {
  private readonly lookup: ImageLookup;

  constructor(
    private readonly state: LaunchState,
    sanitizer: Sanitizer,
  ) {
    this.lookup = new ImageLookup(state, sanitizer, false);
  }

  /**
   * The imported function. Parameters: warp, site index, the lane that copies, the piece to begin with, the
   * rank of the block that gets a copy or -1, then linear addresses of the vectors of shared addresses, of
   * barriers' and of five coordinates (0 for what there is not). Writes to the static area what each lane is
   * to copy of up to 32 pieces, or of one where detectors have to know the thread: shared and global
   * addresses and the bytes inside the tensor; and the address of the barrier and the bytes of the box in the
   * copying lane's place. Returns the lanes that
   * have a piece, and in the upper half those of which all bytes lie inside and in line.
   */
  readonly pieces = (warp: number, index: number, ...given: readonly number[]): bigint => {
    const [lane = 0, first = 0, rank = -1, ...vectors] = given;
    const { state } = this;
    const { view, base } = state;
    const mapAt = view.getUint32(base + staticLayout.tensorMaps + 4 * lane, true);
    const map = readTensorMap(view, mapAt);
    if (!map) {
      this.tellMissing({ warp, index, lane });
      return 0n;
    }
    const [shared = 0, barrier = 0, ...coordinates] = vectors.map((vector) => vector >>> 0);
    const valueAt = (vector: number): number => (vector === 0 ? 0 : view.getInt32(vector + 4 * lane, true));
    const placed = (address: number): number => (rank < 0 ? address : inBlockOf(rank, address));
    view.setUint32(base + staticLayout.tensorBarriers + 4 * lane, placed(valueAt(barrier)), true);
    view.setUint32(base + staticLayout.tensorBytes + 4 * lane, boxBytes(map), true);
    const corner = coordinates.slice(0, axes).map(valueAt);
    return this.write(map, { first, lane, start: placed(valueAt(shared)), corner });
  };

  private write(
    map: TensorMap,
    { first, lane, start, corner }: { first: number; lane: number; start: number; corner: readonly number[] },
  ): bigint {
    const { view, base, scratch } = this.state;
    const count = boxBytes(map) / pieceBytes;
    const slots = scratch.shadow > 0 ? [lane] : Array.from({ length: lanes }, (_, slot) => slot);
    let [found, whole] = [0, 0];
    slots.slice(0, Math.max(0, count - first)).forEach((slot, place) => {
      const piece = tensorPiece(map, { index: first + place, start, corner });
      const isWhole = piece.inside === wholePiece && piece.global % BigInt(pieceBytes) === 0n;
      found |= 1 << slot;
      if (isWhole) whole |= 1 << slot;
      view.setUint32(base + staticLayout.tensorShared + 4 * slot, piece.shared, true);
      view.setBigUint64(base + staticLayout.tensorGlobal + 8 * slot, BigInt.asUintN(64, piece.global), true);
      view.setUint32(base + staticLayout.tensorInside + 4 * slot, isWhole ? 0 : piece.inside, true);
    });
    return (BigInt(whole >>> 0) << 32n) | BigInt(found >>> 0);
  }

  private tellMissing({ warp, index, lane }: { warp: number; index: number; lane: number }): void {
    const site = this.state.kernel.code.sites[index];
    if (!site) return;
    this.lookup.tell(
      { site, warp: warp >>> 0, lane },
      { kind: "invalid-object", what: "copies by a tensor map that cuTensorMapEncodeTiled has not made" },
    );
  }
}
