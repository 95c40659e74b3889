import { type Form, formFrom } from "../../../../language/cuda/body/forms";
import { compact } from "../../../../language/query";
import { typeOf } from "../arithmetic/sign";
import { type Limit, type LimitedLoop, plus } from "./limits";

const places = /^(?:threadIdx|blockIdx|blockDim|gridDim)\.[xyz]$/;

/**
 * The new end of a loop, or its new start, as text; undefined where a loop of such steps cannot begin there.
 */
export function limitText(loop: LimitedLoop, limit: Limit): string | undefined {
  return limit.side === "upper" ? endText(loop, limit) : startText(loop, limit);
}

/** `min(n, i + 1)`. */
function endText(loop: LimitedLoop, { form, scale }: Limit): string {
  const { bound, comparison } = loop.counted;
  const more = comparison === "<" ? 1 : 0;
  const last =
    scale === "1" ? sumText(plus(form, formFrom({ "": 1 }), more)) : quotientText(form, scale, more);
  return chosen("min", bound.text, { text: last, loop, form });
}

/** `max(0, i - w + 1)`, at a turn that the loop comes by. */
function startText(loop: LimitedLoop, { form, scale }: Limit): string | undefined {
  const { start, step } = loop.counted;
  const amount = step.amount === undefined ? "1" : compact(step.amount);
  const first = scale === "1" ? sumText(form) : quotientText(form, scale, 0);
  if (amount === "1") return chosen("max", start.text, { text: first, loop, form });
  if (compact(start) !== "0" || !/^\w+$/.test(amount)) return undefined;
  const aligned = `${scale === "1" && form.size === 1 ? first : `(${first})`} / ${amount} * ${amount}`;
  return chosen("max", start.text, { text: aligned, loop, form });
}

interface Wished {
  readonly text: string;
  readonly loop: LimitedLoop;
  readonly form: Form;
}

/** The lesser or the greater of what the loop says and what the mask says. */
function chosen(which: "min" | "max", own: string, { text, loop, form }: Wished): string {
  const { view, counted } = loop;
  const names = [...form.keys()].flatMap((key) => key.match(/[A-Za-z_]\w*(?:\.\w+)?/g) ?? []);
  const plain = names.every((name) => places.test(name) || typeOf(view, name) === "int");
  const ownNames = own.match(/[A-Za-z_]\w*/g) ?? [];
  const ints = ownNames.every((name) => typeOf(view, name) === "int" || view.model.constants.has(name));
  if (counted.type !== "int" || !plain || !ints) {
    const sign = which === "min" ? "<" : ">";
    const [one, other] = [own, text].map(grouped);
    return `(${other} ${sign} ${one} ? ${other} : ${one})`;
  }
  const unsigned = names.some((name) => places.test(name)) && !text.includes("int(");
  return `${which}(${own}, ${unsigned ? `static_cast<int>(${text})` : text})`;
}

function grouped(text: string): string {
  return /^\w+$/.test(text) ? text : `(${text})`;
}

function quotientText(form: Form, scale: string, more: number): string {
  const size = Number(scale);
  const parts = [...form].filter(([key]) => key !== "");
  const rest = form.get("") ?? 0;
  if (Number.isInteger(size) && parts.every(([, times]) => times % size === 0 && times > 0) && rest >= 0) {
    const whole = new Map(parts.map(([key, times]) => [key, times / size]));
    return sumText(plus(whole, formFrom({ "": 1 }), Math.floor(rest / size) + more));
  }
  const quotient = `(${sumText(form)}) / ${/^\w+$/.test(scale) ? scale : `(${scale})`}`;
  return more === 0 ? quotient : `${quotient} + ${more}`;
}

/** A sum as C: what is added first, and then what is taken away. */
function sumText(form: Form): string {
  // Places are unsigned: what is taken away from them may come to less than zero.
  const isMixed = [...form.values()].some((times) => times < 0);
  const word = (key: string): string =>
    key
      .split("*")
      .map((part) => (isMixed && places.test(part) ? `int(${part})` : part))
      .join(" * ");
  const terms = [...form].sort(
    ([a, x], [b, y]) => Number(y > 0) - Number(x > 0) || Number(a === "") - Number(b === ""),
  );
  const texts = terms.map(([key, times], place) => {
    const size = Math.abs(times);
    const factor = size === 1 ? word(key) : `${size} * ${word(key)}`;
    const text = key === "" ? String(size) : factor;
    if (place === 0) return times < 0 ? `-${text}` : text;
    return `${times < 0 ? "-" : "+"} ${text}`;
  });
  return texts.length === 0 ? "0" : texts.join(" ");
}
