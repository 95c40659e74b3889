import { invariant } from "../../base/assert";

interface Visit<Node> {
  readonly node: Node;
  readonly next: readonly Node[];
  at: number;
}

/** The number of a node that has been entered. */
function entered<Node>(numbers: ReadonlyMap<Node, number>, node: Node): number {
  const number = numbers.get(node);
  invariant(number !== undefined, "a node has its numbers from when it is entered");
  return number;
}

/**
 * Groups of nodes that reach each other (Tarjan's algorithm, without recursion so that long chains are no
 * danger), for what `starts` reach. A group comes before those that lead to it.
 */
export function strongComponents<Node>(
  starts: Iterable<Node>,
  successors: (node: Node) => readonly Node[],
): readonly (readonly Node[])[] {
  const order = new Map<Node, number>();
  const lowest = new Map<Node, number>();
  const open: Node[] = [];
  const isOpen = new Set<Node>();
  const found: Node[][] = [];
  const visits: Visit<Node>[] = [];
  const enter = (node: Node): void => {
    order.set(node, order.size);
    lowest.set(node, order.size - 1);
    open.push(node);
    isOpen.add(node);
    visits.push({ node, next: successors(node), at: 0 });
  };
  const lower = (node: Node, value: number): void =>
    void lowest.set(node, Math.min(entered(lowest, node), value));
  for (const start of starts) {
    if (!order.has(start)) enter(start);
    for (let visit = visits.at(-1); visit; visit = visits.at(-1)) {
      if (visit.at < visit.next.length) {
        const [next] = visit.next.slice(visit.at, visit.at + 1) as [Node];
        visit.at += 1;
        if (!order.has(next)) enter(next);
        else if (isOpen.has(next)) lower(visit.node, entered(order, next));
        continue;
      }
      visits.pop();
      const parent = visits.at(-1);
      if (parent) lower(parent.node, entered(lowest, visit.node));
      if (lowest.get(visit.node) !== order.get(visit.node)) continue;
      const group = open.splice(open.lastIndexOf(visit.node));
      for (const node of group) isOpen.delete(node);
      found.push(group);
    }
  }
  return found;
}
