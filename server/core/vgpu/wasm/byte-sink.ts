import { known } from "../../base/known";
import type { Wasm } from "./code";

/**
 * Code that grows at its end and is bytes at once, so that no tree of it has to be kept. Hundreds of
 * thousands of bytes pass through here for a large kernel.
 */
export class ByteSink {
  private bytes: Uint8Array<ArrayBuffer>;
  private length = 0;

  /** `room`: bytes that fit before the sink has to grow. */
  constructor(room = 4096) {
    this.bytes = new Uint8Array(room);
  }

  push(code: Wasm): void {
    if (typeof code === "number") this.appendNumber(code);
    else if (code instanceof Uint8Array) this.appendBytes(code);
    else this.append(code);
  }

  /** A copy of what was pushed so far. */
  taken(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.length);
  }

  /** By index: in code that runs for the first time an iterator costs more than the bytes. */
  private append(code: readonly Wasm[]): void {
    const count = code.length;
    for (let index = 0; index < count; index += 1) {
      const part = code[index];
      if (typeof part === "number") this.appendNumber(part);
      else if (part instanceof Uint8Array) this.appendBytes(part);
      else this.append(known(part, "a part of code"));
    }
  }

  /** One byte, or up to three with a one above the last. */
  private appendNumber(part: number): void {
    if (this.length + 3 > this.bytes.length) this.grow(3);
    this.bytes[this.length++] = part;
    for (let rest = part >> 8; rest > 1; rest >>= 8) this.bytes[this.length++] = rest;
  }

  private appendBytes(part: Uint8Array): void {
    if (this.length + part.length > this.bytes.length) this.grow(part.length);
    this.bytes.set(part, this.length);
    this.length += part.length;
  }

  private grow(more: number): void {
    const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.length + more));
    larger.set(this.bytes);
    this.bytes = larger;
  }
}

/** The bytes in order. */
export function flatten(code: Wasm): Uint8Array<ArrayBuffer> {
  const sink = new ByteSink();
  sink.push(code);
  return sink.taken();
}

/**
 * The code that `build` puts behind a value, when that is always the same: made once, it is cheaper than the
 * instructions one by one.
 */
export function codeBehind(build: (value: Wasm) => Wasm): Wasm {
  const nothing: Wasm = [[]];
  return flatten(build(nothing));
}
