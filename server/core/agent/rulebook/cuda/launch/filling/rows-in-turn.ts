import { formFrom, sameForm } from "../../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops } from "../../../../../language/cuda/body/loops";
import { formIn, type KernelView } from "../../kernel";

/**
 * The loop by which blocks take rows in turn, as a statement of the kernel's body:
 * `for (r = blockIdx.x; r < rows; r += gridDim.x)`. Any number of blocks does all of its turns.
 */
export function rowsInTurn(view: KernelView): CountedLoop | undefined {
  return countedLoops(view.body).find(({ loop, start, step, comparison }) => {
    if (loop.parent?.id !== view.body.id || comparison !== "<") return false;
    if (step.operator !== "+" || step.amount === undefined) return false;
    const [first, stride] = [formIn(view, start), formIn(view, step.amount)];
    return sameForm(first, formFrom({ "blockIdx.x": 1 })) && sameForm(stride, formFrom({ "gridDim.x": 1 }));
  });
}
