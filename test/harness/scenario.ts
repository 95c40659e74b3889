import { it } from "vitest";

/**
 * Steps of one scenario in one window, in their order: each is a test of its own. One that is run alone takes
 * those before it first.
 */
export function scenario(): (name: string, take: () => Promise<void>) => void {
  const steps: { isTaken: boolean; take(): Promise<void> }[] = [];
  return (name, take) => {
    steps.push({ isTaken: false, take });
    const upToThis = [...steps];
    it(name, async () => {
      for (const step of upToThis) {
        if (step.isTaken) continue;
        step.isTaken = true;
        await step.take();
      }
    });
  };
}
