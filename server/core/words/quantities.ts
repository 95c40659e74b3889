import { at } from "../base/known";
import { tell } from "../base/localized";

/** `0 B`, `12.5 KiB`, `3.2 MiB`: three significant digits. */
export function describeBytes(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const step = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1024 ** step).toPrecision(bytes < 1024 ? 4 : 3))} ${at(units, step)}`;
}

/** Nanoseconds with a unit and three significant digits: `12.4 µs`. */
export function describeNanoseconds(nanoseconds: number): string {
  const units: readonly (readonly [number, string])[] = [
    [1e9, "s"],
    [1e6, "ms"],
    [1e3, "µs"],
  ];
  const [scale, unit] = units.find(([limit]) => nanoseconds >= limit) ?? [1, "ns"];
  return `${Number((nanoseconds / scale).toPrecision(3))} ${unit}`;
}

/** How long something took, of minutes: `26 s`, `2 min 5 s`, `1 h 10 min`. */
export function describeMinutes(minutes: number): string {
  const seconds = Math.round(minutes * 60);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return inUnits(seconds, { size: 60, names: ["min", "s"] });
  return inUnits(Math.round(seconds / 60), { size: 60, names: ["h", "min"] });
}

function inUnits(
  count: number,
  { size, names: [whole, part] }: { readonly size: number; readonly names: readonly [string, string] },
): string {
  const rest = count % size;
  return `${Math.floor(count / size)} ${whole}${rest === 0 ? "" : ` ${rest} ${part}`}`;
}

/** `$0`, `$0.24`, `$1.5`: two significant digits. */
export function describeDollars(usd: number): string {
  return `$${Number(usd.toPrecision(2))}`;
}

/** `950`, `12.5 k`, `3.2 M`: three significant digits from a thousand on. */
export function describeCount(count: number): string {
  const units = ["", " k", " M", " G", " T"];
  const step = count < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(count) / 3));
  return `${Number((count / 1000 ** step).toPrecision(count < 1000 ? 4 : 3))}${at(units, step)}`;
}

/** `12%`; whole percents, below ten with one decimal where there is one. */
export function describeShare(share: number): string {
  const percent = share * 100;
  return `${percent > 0 && percent < 9.95 ? Number(percent.toFixed(1)) : Math.round(percent)}%`;
}

/** `1,234,567`; a fraction is kept as it is. */
export function groupDigits(value: number): string {
  const [whole = "", fraction] = String(value).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** `1 pass`, `2,048 passes`. */
export function plural(count: number, what: string, ending = "s"): string {
  return tell(`{0} ${what}${count === 1 ? "" : ending}`, groupDigits(count));
}

/** A change as a fraction in whole percent: `−78%`, `+3%`, `0%`. */
export function signedPercent(fraction: number): string {
  const percent = Math.round(fraction * 100);
  if (percent === 0) return "0%";
  return `${percent < 0 ? "−" : "+"}${Math.abs(percent)}%`;
}
