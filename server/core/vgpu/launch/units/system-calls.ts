import type { MemorySite } from "../../emit/emitters/memory-site";
import { siteLayout } from "../../layout";
import { deviceRuntime, systemName } from "../../library/system";
import { FaultError, hexadecimal } from "../findings/faults";
import { threadText } from "../findings/findings";
import type { Sanitizer } from "../findings/sanitizer";
import type { LaunchState } from "../state/launch-state";
import { DeviceRuntime } from "./device-runtime";
import { type PrintSource, formatPrint } from "./print-format";
import type { KernelFinding } from "../state/types";

/** Bytes of text that one launch prints; as large as CUDA's own buffer (cudaLimitPrintfFifoSize). */
const maximumPrinted = 1 << 20;
/** Longest string that is read from a kernel's pointer. */
const longestText = 1 << 16;

/** The calling lane. */
interface Caller {
  readonly site: MemorySite;
  readonly warp: number;
  readonly lane: number;
}

/**
 * The driver's functions for kernels: printf, malloc, free and assert, and CUDA's runtime for kernels. Called
 * for one lane at a time.
 */
export class SystemCalls {
  private printed = 0;
  private readonly runtime: DeviceRuntime;

  constructor(
    private readonly state: LaunchState,
    private readonly sanitizer: Sanitizer,
  ) {
    this.runtime = new DeviceRuntime(state);
  }

  /** The imported function. Parameters: system code, warp, site index, lane, and up to five arguments. */
  readonly entry = (
    ...[code, warp, index, lane, first, second, third, fourth, fifth]: readonly [
      number,
      number,
      number,
      number,
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
    ]
  ): bigint => {
    const site = this.state.kernel.code.sites[index];
    if (!site) throw new FaultError({ kind: "bad-call", message: "a call by an unknown instruction" });
    const caller = { site, warp: warp >>> 0, lane };
    const name = systemName(code);
    switch (name) {
      case "vprintf":
        return this.print(caller, first, second);
      case "malloc":
        return this.allocate(caller, BigInt.asUintN(64, first));
      case "free":
        return this.free(caller, BigInt.asUintN(64, first));
      case "__assertfail":
        return this.fail(caller, { text: first, file: second, line: third, name: fourth });
      case "badCall":
        return this.badCall(caller, first);
      default: {
        const values = [first, second, third, fourth, fifth].map((value) => BigInt.asUintN(64, value));
        return this.runtime.call(name.replace(deviceRuntime, ""), values, {
          // No alignment is asked: they lie where a kernel or the heap has room for them.
          bytes: (address, count) => {
            const bytes = this.bytes(caller, address, 1);
            return bytes.length < count ? this.bytes(caller, address + BigInt(bytes.length), 1) : bytes;
          },
          allocate: (bytes) => this.allocate(caller, bytes),
          free: (address) => this.free(caller, address),
          fault: (message) => new FaultError({ kind: "bad-call", message, ...this.where(caller) }),
        });
      }
    }
  };

  /** vprintf(format, arguments): packed arguments, each aligned to its size. Returns their number. */
  private print(caller: Caller, format: bigint, list: bigint): bigint {
    const { print } = this.state.request;
    if (BigInt.asUintN(64, format) === 0n) return -1n;
    let offset = 0n;
    let count = 0n;
    const isKept = print !== undefined && this.printed < maximumPrinted;
    const source: PrintSource = {
      next: (bytes) => {
        offset = ((offset + BigInt(bytes) - 1n) / BigInt(bytes)) * BigInt(bytes);
        const at = BigInt.asUintN(64, list) + offset;
        offset += BigInt(bytes);
        count += 1n;
        return this.number(caller, at, bytes);
      },
      text: (address) => this.text(caller, address, isKept),
    };
    const text = formatPrint(this.text(caller, BigInt.asUintN(64, format)), source);
    if (print && isKept) {
      const kept = text.slice(0, maximumPrinted - this.printed);
      print(new TextDecoder().decode(Uint8Array.from(kept, (letter) => letter.charCodeAt(0))));
      if (kept.length < text.length)
        print("\n[the rest of what the kernel printed is left out: 1 MiB a launch is kept]\n");
    }
    this.printed += text.length;
    return count;
  }

  private allocate({ site }: Caller, bytes: bigint): bigint {
    const { state } = this;
    const { memory } = state.request;
    if (bytes === 0n || bytes > BigInt(memory.heap.size)) return 0n;
    const line = state.kernel.code.lines.of(site.instruction.location);
    const place = line
      ? `${line.file.slice(line.file.lastIndexOf("/") + 1)}:${line.line}`
      : `PTX line ${site.instruction.ptxLine}`;
    const block = memory.heap.allocate(`malloc at ${place}`, Number(bytes));
    if (!block) return 0n;
    const { shadow } = state.scratch;
    if (shadow > 0) new Uint8Array(memory.memory.buffer, block.linear + shadow, block.bytes).fill(0);
    return block.address;
  }

  private free(caller: Caller, address: bigint): bigint {
    if (address === 0n) return 0n;
    const result = this.state.request.memory.heap.free(address);
    if (result === "freed") this.forgetWindows();
    else {
      const what = result === "freed-before" ? "which was freed before" : "which malloc never gave";
      this.tell(
        caller,
        "invalid-free",
        `invalid free: ${this.who(caller)} frees ${hexadecimal(address)}, ${what}`,
        address,
      );
    }
    return 0n;
  }

  /** Clears the windows that sites have cached, so that none still covers a freed block. */
  private forgetWindows(): void {
    const { view, base, plan, kernel } = this.state;
    kernel.code.sites.forEach(({ space }, index) => {
      if (space === "shared") return;
      const record = base + plan.sites + index * siteLayout.size;
      view.setBigInt64(record + siteLayout.low, 0n, true);
      view.setBigInt64(record + siteLayout.limit, 0n, true);
    });
  }

  /** __assertfail(expression, file, line, function, character size). */
  private fail(
    caller: Caller,
    parts: { readonly text: bigint; readonly file: bigint; readonly line: bigint; readonly name: bigint },
  ): never {
    const read = (address: bigint): string =>
      address === 0n ? "?" : decode(this.text(caller, BigInt.asUintN(64, address)));
    const place = `${read(parts.file)}:${BigInt.asUintN(32, parts.line)}`;
    const name = read(parts.name);
    // Triton passes "unknown" as the function.
    const message = `assertion failed: ${read(parts.text)}${name === "unknown" ? "" : ` in ${name}`} at ${place}, by ${this.who(caller)}`;
    throw new FaultError({ kind: "trap", message, ...this.where(caller) });
  }

  private badCall(caller: Caller, address: bigint): never {
    const message = `bad call: ${this.who(caller)} calls ${hexadecimal(address)}, which is no function that takes these arguments`;
    throw new FaultError({
      kind: "bad-call",
      message,
      ...this.where(caller),
      address: BigInt.asUintN(64, address),
    });
  }

  private tell(caller: Caller, kind: KernelFinding["kind"], message: string, address: bigint): void {
    const { sanitizer } = this;
    const { request } = this.state;
    const finding = { kind, message, ...this.where(caller), address };
    if (request.faults !== "report") throw new FaultError(finding);
    sanitizer.log.note(
      `${kind} ${finding.file ?? ""}:${finding.line ?? caller.site.instruction.ptxLine}`,
      () => finding,
    );
  }

  /**
   * The bytes from an address to the end of its allocation; zeroes for a bad address that is only reported.
   */
  private bytes(caller: Caller, address: bigint, least: number): Uint8Array {
    const { state } = this;
    const found = this.sanitizer.rangeOf({ ...caller.site, bytes: least }, caller.warp, caller.lane, address);
    if (found.kind === "bad") {
      if (state.request.faults !== "report") throw new FaultError(found.describe());
      this.sanitizer.log.note(`${found.fault} ${caller.site.instruction.ptxLine}`, found.describe);
      return new Uint8Array(least);
    }
    const offset = Number(address - found.low);
    return new Uint8Array(
      state.request.memory.memory.buffer,
      found.linear + offset,
      Math.min(found.bytes - offset, longestText),
    );
  }

  private number(caller: Caller, address: bigint, size: 4 | 8): bigint {
    const bytes = this.bytes(caller, address, size);
    return bytes.subarray(0, size).reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
  }

  /**
   * A string up to its null byte, one character a byte. Empty when it is not printed; its address is checked.
   */
  private text(caller: Caller, address: bigint, isSeen = true): string {
    const bytes = this.bytes(caller, address, 1);
    if (!isSeen) return "";
    const end = bytes.indexOf(0);
    let text = "";
    for (const byte of end < 0 ? bytes : bytes.subarray(0, end)) text += String.fromCharCode(byte);
    return text;
  }

  private where({ site, warp, lane }: Caller): ReturnType<Sanitizer["where"]> {
    return this.sanitizer.where(site, warp, lane);
  }

  private who({ warp, lane }: Caller): string {
    return threadText(this.state.threadOf(warp, lane), this.state.coordinates);
  }
}

function decode(text: string): string {
  return new TextDecoder().decode(Uint8Array.from(text, (letter) => letter.charCodeAt(0)));
}
