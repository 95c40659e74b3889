import { it } from "vitest";

/** What can show how a step failed. */
interface Window {
  screenshot(name: string): Promise<unknown>;
}

/**
 * Steps of one scenario in one window, in their order: each is a test of its own. One that is run alone takes
 * those before it first. What the window shows when a step fails is kept as a screenshot of the step's name.
 */
export function scenario(window: () => Window): (name: string, take: () => Promise<void>) => void {
  const steps: { isTaken: boolean; take(): Promise<void> }[] = [];
  return (name, take) => {
    steps.push({ isTaken: false, take });
    const upToThis = [...steps];
    it(name, async () => {
      try {
        for (const step of upToThis) {
          if (step.isTaken) continue;
          step.isTaken = true;
          await step.take();
        }
      } catch (error) {
        await window().screenshot(`failed-${name.replaceAll(/\W+/g, "-").slice(0, 80)}`);
        throw error;
      }
    });
  };
}
