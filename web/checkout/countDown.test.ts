import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { countDown } from "./countDown.ts";

const HOUR = 3_600_000;
const DATA = { locale: "en", texts: { lessThanAMinute: "less than a minute" } };

test("§14.3 a page's new part counts down to its own end: a dispute of 90 days, not the deadline before it", () => {
  let element: { dataset: { left: string }; textContent: string } | null = null;
  const show = (left: number) => {
    element = { dataset: { left: String(left) }, textContent: "" };
    return element;
  };
  const start = countDown(
    DATA,
    () => element,
    () => assert.fail("it is not over"),
  );
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const first = show(2 * HOUR + 5_000);
    start();
    assert.equal(first.textContent, "2 hours");
    const second = show(90 * 24 * HOUR + 5_000);
    start();
    mock.timers.tick(60_000);
    assert.equal(second.textContent, "90 days");
    element = null;
    start();
    mock.timers.tick(60_000);
    const third = show(HOUR + 5_000);
    start();
    assert.equal(third.textContent, "1 hour", "also where a part without a clock was between");
  } finally {
    mock.timers.reset();
  }
});
