import { at, entry, mustGet } from "../../../../core/base/known";
import { probeSettings, type Setting, settingCount } from "../../../../core/workload/probe/settings";

/** Values that an entry takes for a whole number. */
export type Domain =
  | { readonly kind: "any" }
  | { readonly kind: "multiples"; readonly of: number }
  | { readonly kind: "powers" }
  /** These alone were seen to work, ascending. */
  | { readonly kind: "few"; readonly values: readonly number[] };

export type Domains = ReadonlyMap<string, Domain>;

/** Powers of two by which a setting differs from the first one. */
const exponents = [0, 1, -1, 2];

/** What a block usually computes of a product. */
const tiles = [64, 128];

/** The value of a domain that is nearest to a wanted one. */
export function nearestIn(domain: Domain, wanted: number): number {
  switch (domain.kind) {
    case "any":
      return wanted;
    case "multiples":
      return domain.of * Math.max(1, Math.round(wanted / domain.of));
    case "powers":
      return 2 ** Math.max(0, Math.round(Math.log2(wanted)));
    case "few":
      return domain.values.reduce((best, value) =>
        Math.abs(value - wanted) < Math.abs(best - wanted) ? value : best,
      );
  }
}

/** Settings of a series of probes, as different from each other as the domains allow. */
export function settingsWithin(domains: Domains, isSmall: boolean): readonly Setting[] {
  const names = [...domains.keys()];
  const free = names.filter((name) => domains.get(name)?.kind !== "few");
  const plain = probeSettings(free, { step: 1, isSmall });
  const stepped = new Map<number, readonly Setting[]>();
  for (const domain of domains.values())
    if (domain.kind === "multiples")
      stepped.set(
        domain.of,
        probeSettings(free, { step: domain.of, isSmall, isTiled: tiles.includes(domain.of) }),
      );
  const value = (name: string, domain: Domain, index: number): number => {
    const position = names.indexOf(name);
    switch (domain.kind) {
      case "any":
        return entry(at(plain, index), name);
      case "multiples":
        return entry(at(mustGet(stepped, domain.of), index), name);
      case "powers": {
        const first = Math.max(5, Math.round(Math.log2(entry(at(plain, 0), name))));
        return 2 ** (first + at(exponents, (position + index) % exponents.length));
      }
      case "few":
        return at(domain.values, (position + index) % domain.values.length);
    }
  };
  return Array.from({ length: settingCount }, (_, index) =>
    withLongStrides(
      Object.fromEntries([...domains].map(([name, domain]) => [name, value(name, domain, index)])),
      domains,
    ),
  );
}

/** `lda`, `row_stride`, `pitch`. */
const strideName = /^ld[a-z]?$|stride|pitch/i;

/** What is called a stride leads over the longest of rows, and is the length of none. */
function withLongStrides(setting: Setting, domains: Domains): Setting {
  const isStride = (name: string): boolean => strideName.test(name) && mustGet(domains, name).kind !== "few";
  const lengths = Object.entries(setting).flatMap(([name, size]) => (strideName.test(name) ? [] : [size]));
  const longest = Math.max(0, ...lengths);
  const longer = Object.entries(setting).map(([name, size]) => [
    name,
    isStride(name) ? nearestIn(mustGet(domains, name), longest + size) : size,
  ]);
  return Object.fromEntries(longer) as Setting;
}
