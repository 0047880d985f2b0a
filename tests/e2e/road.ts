import assert from "node:assert/strict";
import type { TestContext } from "node:test";

type Step = (name: string, walk: () => Promise<unknown>) => Promise<void>;

/**
 * Tests that walk one road: each begins where the one before ended, with its payment and its pages. After one that failed
 * the others fail at once, rather than wait for what it did not leave.
 */
export function roadOf(t: TestContext): Step {
  let broken: string | null = null;
  return (name, walk) =>
    t.test(name, async () => {
      if (broken !== null) assert.fail(`It begins where another test failed: ${broken}`);
      broken = name;
      await walk();
      broken = null;
    });
}
