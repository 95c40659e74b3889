interface Visit {
  readonly name: string;
  readonly next: readonly string[];
  at: number;
}

/**
 * Groups of nodes that reach each other (Tarjan's algorithm, without recursion so that long chains are no danger), for what `start` reaches.
 * A group comes before those that lead to it.
 */
export function strongComponents(start: string, successors: (name: string) => readonly string[]): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const found: string[][] = [];
  const visits: Visit[] = [];
  const enter = (name: string): void => {
    order.set(name, order.size);
    lowest.set(name, order.size - 1);
    open.push(name);
    isOpen.add(name);
    visits.push({ name, next: successors(name), at: 0 });
  };
  const lower = (name: string, value: number): void => void lowest.set(name, Math.min(lowest.get(name) ?? value, value));
  enter(start);
  for (let visit = visits.at(-1); visit; visit = visits.at(-1)) {
    const next = visit.next[visit.at];
    visit.at += 1;
    if (next !== undefined) {
      if (!order.has(next)) enter(next);
      else if (isOpen.has(next)) lower(visit.name, order.get(next) ?? 0);
      continue;
    }
    visits.pop();
    const parent = visits.at(-1);
    if (parent) lower(parent.name, lowest.get(visit.name) ?? 0);
    if (lowest.get(visit.name) !== order.get(visit.name)) continue;
    const group = open.splice(open.lastIndexOf(visit.name));
    for (const name of group) isOpen.delete(name);
    found.push(group);
  }
  return found;
}
