import { fieldText, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { type DiagnosisEntry, limitIn } from "../entry";
import { type Finding, fraction, type Measured } from "../measured";
import { isMeasuring, launchesOf, nameOf, nanosecondsEach, placesOf } from "./host-loops";

const allocating = /^(?:::)?cudaMalloc(?:Managed|Host|Pitch|3D)?$/;
const freeing = /^(?:::)?cudaFree(?:Host)?$/;

/**
 * Memory of the device that host code allocates and gives back around each launch: in each turn of a loop, or
 * in each call of the function that launches.
 */
export function repeatedAllocations(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  if (measured.view === undefined) return [];
  for (const launch of launchesOf(measured)) {
    const { host, places } = placesOf(measured, launch);
    const turn = places.find((place) => callsIn(place, freeing).length > 0);
    const inTurn = turn && callsIn(turn, allocating)[0];
    const inCall =
      nameOf(host) !== "main" && !isMeasuring(host) && callsIn(host, freeing).length > 0
        ? callsIn(host, allocating)[0]
        : undefined;
    const call = inTurn ?? inCall;
    if (call === undefined) continue;
    const when = inTurn === undefined ? `in each call of ${nameOf(host)}` : "in each turn of a loop";
    // One that allocates and one that frees wait for the GPU.
    const waiting = 2 * limitIn(entry, "nanoseconds");
    const share = fraction(waiting, waiting + nanosecondsEach(measured));
    return [{ line: lineOf(call), share, blanks: { call: fieldText(call, "function"), when } }];
  }
  return [];
}

function callsIn(place: SyntaxNode, name: RegExp): readonly SyntaxNode[] {
  return place.descendantsOfType("call_expression").filter((call) => name.test(fieldText(call, "function")));
}
