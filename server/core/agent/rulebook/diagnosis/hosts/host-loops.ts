import { changes } from "../../../../language/cuda/body/scope";
import { declaredName } from "../../../../language/cuda/body/threads";
import { collapse, enclosing, fieldText, isInside, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { readTriton } from "../../../../language/triton/model";
import { modelConstants } from "../../../../timing/gpu-model";
import { type DiagnosisEntry, limitIn } from "../entry";
import { type Finding, fraction, type Measured } from "../measured";
import { calledIn, loopTypes } from "../places";

/** A launch of the kernel, with the function of the host that it stands in. */
interface HostLaunch {
  readonly call: SyntaxNode;
  readonly host: SyntaxNode;
}

const pythonLoops = ["for_statement", "while_statement"];
const comprehensions = ["generator_expression", "list_comprehension"];

/** A launch for each turn of a loop of the host, with so little work that the gaps between them cost more. */
export function launchLoop(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const gap = modelConstants.launchGapNanoseconds;
  const each = nanosecondsEach(measured);
  const share = fraction(gap, gap + each);
  if (share < limitIn(entry, "share")) return [];
  const found = launchesOf(measured).find(({ call, host }) => {
    const loop = loopAround(measured, call, host);
    if (loop === undefined || !turnsDiffer(loop, call)) return false;
    // A program's own loop that does a part of the work in each turn is no loop of a measurement.
    return !isTimed(host, loop) || (nameOf(host) === "main" && !isTimedLoop(loop));
  });
  if (found === undefined) return [];
  return [{ line: lineOf(found.call), share, blanks: { value: Math.round(each), gap } }];
}

/** Copies and waits by which the host stands still in each turn of a loop around the kernel. */
export function hostWaits(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const each = nanosecondsEach(measured);
  const waiting = limitIn(entry, "nanoseconds");
  for (const around of launchesOf(measured).map((launch) => placesOf(measured, launch))) {
    const waits = around.places.flatMap((place) => waitsIn(measured, place));
    const [turn] = around.onlyCopies ? waits.filter(({ text }) => /Memcpy/.test(text)) : waits;
    const wait = turn ?? waitBetween(measured, around.host);
    if (wait === undefined) continue;
    const when = turn === undefined ? "between two launches" : "in each turn of a loop";
    const share = fraction(waiting, waiting + each);
    return [{ line: lineOf(wait.node), share, blanks: { call: wait.text, when } }];
  }
  return [];
}

/** What is done in each turn of a loop around a launch. */
interface Around {
  readonly host: SyntaxNode;
  readonly places: readonly SyntaxNode[];
  /** A program may wait where it measures; what it copies in each turn of a loop is its own work. */
  readonly onlyCopies: boolean;
}

export function placesOf(measured: Measured, { call, host }: HostLaunch): Around {
  const types = measured.view === undefined ? [...pythonLoops, ...comprehensions] : [...loopTypes];
  const isMain = nameOf(host) === "main";
  const loops = host
    .descendantsOfType(types)
    .filter((loop) => isInside(call, loop))
    .filter((loop) => !isTimed(host, loop) || (isMain && !isTimedLoop(loop)));
  const callers = callingLoops(measured, host, types);
  // A function that waits and is called in a loop makes each turn wait.
  const places = callers.length > 0 ? [...loops, ...callers, host] : loops;
  const ofMain = callers.filter((loop) => nameOf(enclosing(loop, "function_definition") ?? host) === "main");
  const onlyCopies = isMain || (loops.length === 0 && callers.length > 0 && ofMain.length === callers.length);
  return { host, places, onlyCopies };
}

/** What a function that is no measurement waits for between its first launch and its last one. */
function waitBetween(measured: Measured, host: SyntaxNode): Wait | undefined {
  if (isMeasuring(host)) return undefined;
  const launches = startsIn(measured, host);
  const [first, last] = [Math.min(...launches), Math.max(...launches)];
  return waitsIn(measured, host).find(({ node }) => node.startIndex > first && node.startIndex < last);
}

/** Where the launches of a function of the host stand. */
function startsIn({ view }: Measured, host: SyntaxNode): readonly number[] {
  if (view !== undefined)
    return host
      .descendantsOfType("call_expression")
      .filter((call) => configurationOf(call) !== "")
      .map(({ startIndex }) => startIndex);
  let root = host;
  while (root.parent !== null) root = root.parent;
  return readTriton(root)
    .launches.filter(({ call }) => isInside(call, host))
    .map(({ call }) => call.startIndex);
}

/** Loops of other functions that call the function which launches. */
function callingLoops({ view }: Measured, host: SyntaxNode, types: readonly string[]): readonly SyntaxNode[] {
  const name = nameOf(host);
  let root = host;
  while (root.parent !== null) root = root.parent;
  const call = view === undefined ? "call" : "call_expression";
  return root.descendantsOfType([...types]).filter((loop) => {
    const around = enclosing(loop, "function_definition");
    if (around === undefined || around.id === host.id || isTimedLoop(loop)) return false;
    if (isMeasuring(around) && nameOf(around) !== "main") return false;
    return loop.descendantsOfType(call).some(
      (each) =>
        fieldText(each, "function")
          .split(/\.|->|::/)
          .at(-1) === name,
    );
  });
}

export function nameOf(host: SyntaxNode): string {
  return declaredName(host) ?? fieldText(host, "name");
}

/** Modelled time of one launch of the kernel. */
export function nanosecondsEach({ launch, input }: Measured): number {
  return launch?.bound.nanoseconds ?? input.bound.nanoseconds;
}

export function launchesOf({ view, input }: Measured): readonly HostLaunch[] {
  if (view !== undefined)
    return view.launches.flatMap(({ call, host }) => (host === undefined ? [] : [{ call, host }]));
  const source = input.tree[input.file];
  const root =
    source === undefined || input.dialect !== "triton" ? undefined : input.parse(input.file, source);
  if (root === undefined) return [];
  const name = input.kernel.split("::").at(-1);
  return readTriton(root)
    .launches.filter(({ site }) => site.kernel === name)
    .flatMap(({ call, host }) => (host === undefined ? [] : [{ call, host }]));
}

function loopAround({ view }: Measured, call: SyntaxNode, host: SyntaxNode): SyntaxNode | undefined {
  const loop = enclosing(call, ...(view === undefined ? pythonLoops : loopTypes));
  return loop !== undefined && isInside(loop, host) ? loop : undefined;
}

/** Programs that measure or repeat a kernel mean to launch it often. */
function isTimed(host: SyntaxNode, loop: SyntaxNode): boolean {
  return isMeasuring(host) || isTimedLoop(loop);
}

export function isMeasuring(host: SyntaxNode): boolean {
  return /^main$|bench|test|profil|warm/i.test(nameOf(host));
}

/** True for a loop that takes times, or whose head says that it repeats. */
export function isTimedLoop(loop: SyntaxNode): boolean {
  return (
    /Event|perf_counter|\btime\.|chrono|Timer/.test(loop.text) ||
    /\b(?:warm_?up|reps?|repeats?|trials?)\b/i.test(headOf(loop))
  );
}

function headOf(loop: SyntaxNode): string {
  const body = loop.childForFieldName("body");
  return body === null ? loop.text : loop.text.slice(0, body.startIndex - loop.startIndex);
}

/** True where what is launched depends on the turn: each does a part of the work, and none repeats it. */
function turnsDiffer(loop: SyntaxNode, call: SyntaxNode): boolean {
  const words = (text: string): readonly string[] => text.match(/[A-Za-z_]\w*/g) ?? [];
  const body = loop.childForFieldName("body");
  const made = [
    ...changes(loop).map(({ act, target }) => ({ name: target.text, text: act.text })),
    ...(body?.descendantsOfType(["init_declarator", "assignment", "augmented_assignment"]) ?? []).map(
      (node) => ({
        name: words(fieldText(node, "declarator") || fieldText(node, "left"))[0] ?? "",
        text: node.text,
      }),
    ),
  ];
  const head = new Set(words(headOf(loop)));
  // What a loop over a list takes of it stands in its declarator.
  const counted = ["left", "initializer", "declarator"].flatMap((field) => words(fieldText(loop, field)));
  const turns = new Set([...counted, ...made.flatMap(({ name }) => (head.has(name) ? [name] : []))]);
  for (const { name, text } of made) if (words(text).some((word) => turns.has(word))) turns.add(name);
  const given = [call.childForFieldName("arguments"), call.childForFieldName("function")];
  const types = new Set(["int", "size_t", "unsigned", "auto", "const", "long"]);
  return [...given.map((node) => node?.text ?? ""), configurationOf(call)]
    .flatMap(words)
    .some((word) => turns.has(word) && !types.has(word));
}

function configurationOf(call: SyntaxNode): string {
  return call.children.find(({ type }) => type === "kernel_call_syntax")?.text ?? "";
}

const waitingCall = /^(?:cuda(?:Device|Stream|Thread)Synchronize|cudaMemcpy|cudaMemcpy(?:From|To)Symbol)$/;
/** Of tensors in C++: their elements come to the host. */
const waitingMember = /[.>](item|cpu)(?:<[^<>]*>)?$/;
/** The host goes on while the device copies within itself. */
const withinDevice = /\bcudaMemcpyDeviceToDevice\b/;

/** A call that lets the host wait, and what it is called. */
interface Wait {
  readonly node: SyntaxNode;
  readonly text: string;
}

function waitsIn(measured: Measured, loop: SyntaxNode): readonly Wait[] {
  if (measured.view !== undefined) return waitsInCuda(measured, loop);
  return loop.descendantsOfType("call").flatMap((node) => {
    const text = collapse(fieldText(node, "function"));
    const waits = /\.(?:item|cpu|tolist)$|^torch\.cuda\.synchronize$/.test(text);
    return waits ? [{ node, text: /\w+$/.exec(text)?.[0] ?? text }] : [];
  });
}

/** Waits that stand there, and those of the file's own functions that are called there. */
function waitsInCuda(measured: Measured, loop: SyntaxNode): readonly Wait[] {
  const own = plainWaits(loop);
  if (own.length > 0) return own;
  return loop.descendantsOfType("call_expression").flatMap((node) => {
    const [wait] = calledIn(measured, node).flatMap(plainWaits);
    return wait === undefined ? [] : [{ node, text: wait.text }];
  });
}

function plainWaits(place: SyntaxNode): readonly Wait[] {
  return place
    .descendantsOfType("call_expression")
    .filter((call) => !withinDevice.test(fieldText(call, "arguments")))
    .flatMap((node) => {
      const text = fieldText(node, "function");
      const member = waitingMember.exec(text)?.[1];
      const waits = member !== undefined || waitingCall.test(text.replace(/^::/, ""));
      return waits ? [{ node, text: member ?? text }] : [];
    });
}
