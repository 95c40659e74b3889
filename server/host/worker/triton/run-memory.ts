import { at, known } from "../../../core/base/known";
import type { JsonObject } from "../../../core/base/json";
import { isOneValue } from "../../../core/vgpu/index";
import { takes } from "../../../core/workload/entry/python-call";
import { itemBytes } from "../../../core/workload/item-bytes";
import type { EntrySpec } from "../../../core/workload/spec";
import type { Reply } from "../transport/connection";
import { HandedDigest } from "../judging/handed-digest";
import { poisoned } from "../evaluation/buffers";
import { scattered, viewAt } from "./input-views";
import { gather, type CapturedLaunch, type ReturnedTensor } from "./captured-launch";
import type { ResolvedTensor } from "../evaluation/case-shapes";
import type { RunRequest } from "../evaluation/kernel-runner";
import { LeftContents } from "./left-contents";
import { rowMajor } from "./returned-layout";

type Buffers = CapturedLaunch["buffers"];

/**
 * The contents of all buffers of one run of a candidate's entry, kept on this side: they alone count. Buffers
 * are numbered: first the inputs, then the outputs that the entry takes as arguments, then what it allocates.
 */
export class RunMemory {
  /** Contents of inputs and passed outputs before the first launch. */
  readonly contents: readonly Uint8Array[];
  /** Data that the host code made: neither an input, nor one value repeated, nor what kernels have left. */
  readonly hostWritten: Uint8Array[] = [];
  /** Bytes that host code wrote and handed over, copies of what kernels of this call had left among them. */
  writtenBytes = 0;
  private readonly passed: readonly ResolvedTensor[];
  private readonly memory = new Map<number, Uint8Array>();
  /** What the launches were handed beside inputs. */
  readonly handedOver = new HandedDigest();
  /** Where the outputs were found after the run, by their names. */
  readonly places = new Map<string, ReturnedTensor>();
  /** Numbers of the buffers that a launch has had. */
  private readonly handed = new Set<number>();
  private readonly left: LeftContents;

  constructor(
    entry: EntrySpec,
    private readonly request: RunRequest,
    /** The candidate's process. */
    process: object = {},
  ) {
    this.left = LeftContents.of(process);
    const { shape, fill = "first" } = request;
    const filled = shape.outputs.filter(
      ({ name }) => takes(entry, name) && !shape.inputs.some((input) => input.name === name),
    );
    this.passed = [...shape.inputs, ...filled];
    this.contents = [
      ...shape.inputs.map((input, position) => {
        const view = viewAt(request, position);
        const content = at(request.inputs, position);
        return view === undefined ? content : scattered(content, view, input);
      }),
      ...filled.map((output) => poisoned(output, fill)),
    ];
    this.contents.forEach((bytes, number) => this.memory.set(number, bytes));
  }

  /** The tensors that the candidate process makes before it calls the entry. */
  get tensors(): JsonObject[] {
    return this.passed.map(({ dtype, shape }, position) => {
      const view = viewAt(this.request, position);
      return {
        dtype,
        shape: [...shape],
        unwritten: position >= this.request.inputs.length,
        ...(view && { strides: [...view.strides], first: view.first }),
      };
    });
  }

  /** Numbers of the tensors by their names. */
  get numbers(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.passed.map(({ name }, position) => [name, position]));
  }

  /** Number of the tensor that is passed under a name; -1 for none. */
  numberOf(name: string): number {
    return this.passed.findIndex((tensor) => tensor.name === name);
  }

  /** What kernels left is no longer this run's own. */
  end(): void {
    this.left.settle();
  }

  /** The inputs after the run. */
  get inputsNow(): readonly Uint8Array[] {
    return this.request.inputs.map((before, number) => {
      const now = known(this.memory.get(number), "an input's content");
      const view = viewAt(this.request, number);
      const { dtype, shape } = at(this.passed, number);
      if (view === undefined) return now;
      const size = itemBytes[dtype];
      const { strides, first } = view;
      return gather(now, { buffer: number, offset: first * size, dtype, shape, strides }, size) ?? before;
    });
  }

  /** Takes what the host code wrote since the last launch, and settles what counts as unwritten. */
  beforeLaunch(buffers: Buffers): Buffers {
    for (const { number, bytes } of buffers) this.noteHost(number, bytes);
    return buffers.map((buffer) => ({
      ...buffer,
      unwritten: buffer.unwritten && this.canBeUnwritten(buffer.number),
    }));
  }

  /** Takes what the kernel wrote; gives the candidate process the buffers that changed. */
  afterLaunch(buffers: Buffers, written: readonly Uint8Array[]): Reply {
    const changed = buffers.flatMap(({ number, bytes }, position) => {
      const now = at(written, position);
      this.memory.set(number, now);
      this.handed.add(number);
      if (Buffer.compare(bytes, now) === 0) return [];
      this.left.add(now);
      return [{ position, now }];
    });
    return {
      result: { changed: changed.map(({ position }) => position) },
      frames: changed.map(({ now }) => now),
    };
  }

  /**
   * Takes the copies of what kernels left that host code made behind the last launch. True where it changed
   * memory of a kernel in another way: that does not count, unless all outputs may be host code's (`counts`).
   */
  afterCall(numbers: readonly number[], contents: readonly Uint8Array[], counts: boolean): boolean {
    let isChanged = false;
    for (const [position, number] of numbers.entries()) {
      const [before, now] = [this.memory.get(number), at(contents, position)];
      if (before !== undefined && Buffer.compare(before, now) === 0) continue;
      if (this.left.placeInCall(now) === undefined) {
        const isHanded = this.handed.has(number) && !counts;
        isChanged ||= isHanded;
        // What host code made of what kernels left.
        if (!isHanded && number >= this.passed.length) this.memory.set(number, now);
        continue;
      }
      this.memory.set(number, now);
      this.handed.add(number);
      this.writtenBytes += now.byteLength;
    }
    return isChanged;
  }

  /**
   * The outputs of the run, or the sentence that says why there are none. `given`: what the entry returned,
   * all outputs in order, or those that are not arguments of their names. `computed`: how many of the last
   * ones host code may compute.
   */
  outputs(given: readonly ReturnedTensor[], computed: number): readonly Uint8Array[] | string {
    const wanted = this.request.shape.outputs;
    const all = given.length === wanted.length;
    const made = wanted.filter(({ name }) => all || this.numberOf(name) < 0);
    // An argument that is handed back is no further output.
    const returned = all ? given : given.filter(({ buffer }) => buffer >= this.passed.length);
    if (returned.length > 0 && returned.length !== made.length)
      return `the entry returned ${returned.length} tensors, the spec has ${wanted.length} outputs`;
    const found: Uint8Array[] = [];
    for (const [position, output] of wanted.entries()) {
      const isComputed = position >= wanted.length - computed;
      const view = returned[made.indexOf(output)] ?? viewOfArgument(output, this.numberOf(output.name));
      const bytes = view === undefined ? notReturned(output) : this.read(view, output, isComputed);
      if (view !== undefined && this.handed.has(view.buffer)) this.places.set(output.name, view);
      if (typeof bytes === "string") return bytes;
      found.push(bytes);
    }
    return found;
  }

  /** `isComputed`: what host code makes of it counts. */
  private read(view: ReturnedTensor, output: ResolvedTensor, isComputed: boolean): Uint8Array | string {
    if (view.dtype !== output.dtype)
      return `the output ${output.name} has dtype ${view.dtype}, the spec says ${output.dtype}`;
    if (view.shape.join() !== output.shape.join())
      return `the output ${output.name} has the shape [${view.shape.join(", ")}], the spec says [${output.shape.join(", ")}]`;
    const memory = this.memory.get(view.buffer);
    if (memory === undefined || !(isComputed || this.handed.has(view.buffer)))
      return `the output ${output.name} is not memory that a kernel was given: what the host code computes after the last launch does not count`;
    const elements = output.shape.reduce((product, size) => product * size, 1);
    const bytes = gather(memory, view, output.bytes / Math.max(1, elements));
    return bytes ?? `the output ${output.name} reaches beyond its memory`;
  }

  /** True if no launch has had the buffer and it is neither an input nor a passed output that changed. */
  private canBeUnwritten(number: number): boolean {
    const [content, now] = [this.contents[number], this.memory.get(number)];
    if (number < this.request.inputs.length || this.handed.has(number)) return false;
    return content === undefined || now === undefined || Buffer.compare(content, now) === 0;
  }

  private noteHost(number: number, bytes: Uint8Array): void {
    const before = this.memory.get(number);
    this.memory.set(number, bytes);
    if (before !== undefined && Buffer.compare(before, bytes) === 0) return;
    if (this.contents.some((input) => Buffer.compare(input, bytes) === 0)) return;
    const place = this.left.placeInCall(bytes);
    if (place !== undefined) {
      this.writtenBytes += bytes.byteLength;
      return this.handedOver.addCopied(place);
    }
    const age = this.left.ageOf(bytes);
    if (age !== undefined) return this.handedOver.addKept(age);
    this.handedOver.addContent(bytes);
    if (isOneValue(bytes)) return;
    this.hostWritten.push(bytes);
    this.writtenBytes += bytes.byteLength;
  }
}

/** All of the buffer that an output was passed as; undefined where it was passed as none. */
function viewOfArgument({ dtype, shape }: ResolvedTensor, buffer: number): ReturnedTensor | undefined {
  return buffer < 0 ? undefined : { buffer, offset: 0, dtype, shape, strides: rowMajor(shape) };
}

function notReturned({ name }: ResolvedTensor): string {
  return `the entry returned nothing, and the output ${name} is no argument that it could have filled`;
}
