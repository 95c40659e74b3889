import { at, entry, mustGet } from "../../../../core/base/known";
import type { SizeCondition } from "../../../../core/language/cuda/entry/size-conditions";
import {
  divisorsOf,
  type SizeRelation,
  withRelations,
} from "../../../../core/workload/probe/shapes/size-relations";
import { isStrideName, strideFactor } from "../../../../core/workload/probe/range-names";
import { filterSizes } from "../../../../core/workload/probe/shapes/usual-sizes";
import { probeSettings, type Setting, settingCount } from "../../../../core/workload/probe/settings";

/** Values of which there are as many as one likes. */
type PlainDomain =
  | { readonly kind: "any" }
  | { readonly kind: "multiples"; readonly of: number }
  | { readonly kind: "powers" };

/** Values that an entry takes for a whole number. */
export type Domain =
  | PlainDomain
  /** These alone were seen to work, ascending. */
  | { readonly kind: "few"; readonly values: readonly number[] }
  /** Those of another domain that are within bounds. */
  | { readonly kind: "bounded"; readonly of: PlainDomain; readonly least: number; readonly most: number };

type Bounded = Extract<Domain, { readonly kind: "bounded" }>;

export type Domains = ReadonlyMap<string, Domain>;

/** Powers of two by which a setting differs from the first one. */
const exponents = [0, 1, -1, 2];

/** What a block usually computes of a product. */
const tiles = [64, 128];

/** What host code asks of a number, as values of it; `family`: those that are tried without a question. */
export function askedDomain(
  { values, multipleOf = 1, isPower, least = 1, most = Infinity }: SizeCondition,
  family: Domain,
): Domain {
  if (values !== undefined && values.length > 0) return { kind: "few", values };
  const step = family.kind === "multiples" && family.of % multipleOf === 0 ? family.of : multipleOf;
  const fitting = family.kind === "powers" && Number.isInteger(Math.log2(multipleOf));
  const plain = step > 1 ? ({ kind: "multiples", of: step } as const) : ({ kind: "any" } as const);
  const of = isPower === true || fitting ? ({ kind: "powers" } as const) : plain;
  return { kind: "bounded", of, least: Math.max(least, multipleOf), most };
}

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
    case "bounded":
      return withinBounds(
        domain,
        nearestIn(domain.of, Math.min(domain.most, Math.max(domain.least, wanted))),
      );
  }
}

/** The value, or the bound's nearest one where it is out of bounds. */
function withinBounds({ of, least, most }: Bounded, value: number): number {
  if (value >= least && value <= most) return value;
  const isLess = value < least;
  switch (of.kind) {
    case "any":
      return isLess ? least : most;
    case "multiples":
      return of.of * Math.max(1, isLess ? Math.ceil(least / of.of) : Math.floor(most / of.of));
    case "powers":
      return 2 ** Math.max(0, isLess ? Math.ceil(Math.log2(least)) : Math.floor(Math.log2(most)));
  }
}

/** The allowed value that is nearest to a wanted one. */
export function allowed(domains: Domains, name: string, wanted: number): number {
  const domain = domains.get(name);
  return domain === undefined ? wanted : nearestIn(domain, wanted);
}

/** How large the sizes of a search are. */
export type SearchScale = "large" | "small" | "least";

/** Settings of a series of probes, as different from each other as the domains and relations allow. */
export function settingsWithin(
  domains: Domains,
  scale: SearchScale,
  relations: readonly SizeRelation[] = [],
): readonly Setting[] {
  const names = [...domains.keys()];
  const free = names.filter((name) => domains.get(name)?.kind !== "few");
  const lesser = new Set([...filterSizes(free), ...divisorsOf(relations)]);
  const scaled = { isSmall: scale !== "large", isLeast: scale === "least", lesser };
  const plain = probeSettings(free, { step: 1, ...scaled });
  const stepped = new Map<number, readonly Setting[]>();
  for (const domain of [...domains.values()].map(innerOf))
    if (domain.kind === "multiples")
      stepped.set(
        domain.of,
        probeSettings(free, { step: domain.of, ...scaled, isTiled: tiles.includes(domain.of) }),
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
      case "bounded": {
        const wanted = value(name, domain.of, index);
        const within = spread(domain);
        const isWithin = wanted >= domain.least && wanted <= domain.most;
        return isWithin ? wanted : at(within, (position + index) % within.length);
      }
    }
  };
  return Array.from({ length: settingCount }, (_, index) =>
    withRelations(
      withLongStrides(
        Object.fromEntries([...domains].map(([name, domain]) => [name, value(name, domain, index)])),
        domains,
      ),
      relations,
      (name, wanted) => allowed(domains, name, wanted),
    ),
  );
}

function innerOf(domain: Domain): Domain {
  return domain.kind === "bounded" ? domain.of : domain;
}

/** Parts of the way from the least value to the most, as different as possible from one to the next. */
const parts = [1, 0.4, 0.7, 0.2, 0.9, 0];
/** A value is not more than so many times the least one. */
const farthest = 8;

/** Some values of a bounded domain. */
function spread(domain: Bounded): readonly number[] {
  const { of, least, most } = domain;
  const end = Math.min(most, farthest * Math.max(least, farthest));
  const wanted = parts.map((part) =>
    of.kind === "powers" ? least * (end / least) ** part : Math.round(least + part * (end - least)),
  );
  return [...new Set(wanted.map((value) => nearestIn(domain, value)))];
}

/** What is called a stride leads over the longest of rows, and is the length of none. */
function withLongStrides(setting: Setting, domains: Domains): Setting {
  const filters = filterSizes(Object.keys(setting));
  const isStride = (name: string): boolean =>
    isStrideName(name) && !filters.has(name) && mustGet(domains, name).kind !== "few";
  const lengths = Object.entries(setting).flatMap(([name, size]) => (isStrideName(name) ? [] : [size]));
  const longest = Math.max(0, ...lengths);
  const longer = Object.entries(setting).map(([name, size]) => [
    name,
    isStride(name) ? nearestIn(mustGet(domains, name), strideFactor(name) * longest + size) : size,
  ]);
  return Object.fromEntries(longer) as Setting;
}
