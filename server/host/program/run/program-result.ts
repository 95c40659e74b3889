import { oneLine } from "../../../core/base/text";
import type { Capture } from "../../../core/workload/capture/captured";
import type { KernelCounters } from "../../../core/timing/counters";
import type { KernelProfile } from "../../../core/words/profile";
import { formatName, readableName } from "../../../core/base/symbols/symbol-name";
import type { CompiledFacts } from "../../../core/judge/verdict";
import type { ProgramTrouble, RelatedPlace } from "../../../core/ports/program-runner";
import type { CodePlaces, Place } from "../build/code-places";
import type { DeviceReport, ProgramFinding } from "../device/report";

/** Every place that a report names by code addresses. */
export function wheresOf(report: Pick<DeviceReport, "findings" | "problems" | "capture">): readonly string[] {
  const told = [...report.findings, ...report.problems].flatMap(({ where, allocation, other }) => [
    where,
    allocation?.where ?? "",
    other?.where ?? "",
  ]);
  return [...told, ...(report.capture?.launches ?? []).map(({ where }) => where)];
}

/** Recorded launches with the places of the user's files. */
export function captureOf(capture: Capture, places: CodePlaces): Capture {
  const launches = capture.launches.map((launch) => {
    const { file, line } = places.of(launch.where);
    return { ...launch, where: file === "" ? "" : `${file}:${line}` };
  });
  return { ...capture, launches };
}

/** A finding as one sentence at a place of the user's. */
export function troubleOf(finding: ProgramFinding, places: CodePlaces): ProgramTrouble {
  const place = finding.file === "" ? places.of(finding.where) : placeInKernel(finding, places);
  const related = relatedPlaces(finding, places);
  const notes = related.map(({ file, line, what }) => `${what} at ${file}:${line}`);
  if (finding.count > 1) notes.push(`${finding.count} times`);
  return {
    ...place,
    kind: finding.kind,
    message: oneLine(`${finding.message}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`),
    related,
  };
}

function placeInKernel(
  { file, line }: { readonly file: string; readonly line: number },
  places: CodePlaces,
): Place {
  return { file: places.shown(file), line };
}

/** Who else has part in a finding: the other party, the allocation and the launch, where they are known. */
function relatedPlaces(finding: ProgramFinding, places: CodePlaces): readonly RelatedPlace[] {
  const { other, allocation } = finding;
  const related: RelatedPlace[] = [];
  if (other) {
    const there = other.file === "" ? places.of(other.where) : placeInKernel(other, places);
    related.push({ ...there, what: other.what });
  }
  if (allocation) related.push({ ...places.of(allocation.where), what: "allocated" });
  if (finding.file !== "") related.push({ ...places.of(finding.where), what: "launched" });
  return related.filter(({ file }) => file !== "");
}

/** The counted launches of a kernel with the user's names and paths. */
export function kernelOf(profile: KernelProfile, places: CodePlaces): KernelProfile {
  const kernel = formatName(readableName(profile.kernel));
  const counters: KernelCounters = {
    ...profile.counters,
    lines: profile.counters.lines.map((line) => ({ ...line, file: places.shown(line.file) })),
  };
  const facts: readonly CompiledFacts[] = profile.facts.map((each) => ({
    ...each,
    kernel,
    ...(each.machineCode
      ? { machineCode: each.machineCode.map((line) => ({ ...line, file: places.shown(line.file) })) }
      : {}),
  }));
  return { kernel, counters, facts, profiles: profile.profiles };
}
