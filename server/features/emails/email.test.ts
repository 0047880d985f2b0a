import assert from "node:assert/strict";
import { test } from "node:test";
import { ATTEMPTS_MAX, retryMinutes } from "./email.ts";
import { draftText, quoteName } from "./texts.ts";

const SITES = { dashboardUrl: "https://dash.shop.example", checkoutUrl: "https://pay.shop.example" };

test("§13.3.4 the waits between attempts grow to an hour, and all attempts take a day", () => {
  const waits = Array.from({ length: ATTEMPTS_MAX - 1 }, (_, index) => retryMinutes(index + 1)!);
  assert.deepEqual(waits.slice(0, 8), [1, 2, 4, 8, 16, 32, 60, 60]);
  assert.ok(waits.every((wait, index) => wait >= (waits[index - 1] ?? 0)));
  const total = waits.reduce((sum, wait) => sum + wait, 0);
  assert.ok(total >= 24 * 60 && total < 25 * 60, `${total} minutes`);
  assert.equal(retryMinutes(ATTEMPTS_MAX), null);
});

test("§13.5.6 names in emails hold no link, close no quotation mark and are cut", () => {
  const names: readonly (readonly [name: string, quoted: string])[] = [
    ["Kim's shop", "“Kim's shop”"],
    ["Bakery Ltd. of Bern", "“Bakery Ltd. of Bern”"],
    ["confirm at evil.example/unlock", "“confirm at evil example/unlock”"],
    ["https://evil.example", "“https evil example”"],
    ["evil。example evil．example", "“evil example evil example”"],
    ['Shop". Your account is locked', "“Shop . Your account is locked”"],
    ["Pay\u200b\u202epal", "“Pay pal”"],
    ["x".repeat(60), `“${"x".repeat(40)}”`],
  ];
  for (const [name, quoted] of names) assert.equal(quoteName(name), quoted);
  const facts = { business: "www.evil.example", by: "Boss", link: "https://dash/#invitation=x" };
  const { text } = draftText("invitation", facts, SITES);
  assert.match(text, /^A member called “Boss” invites you to the dashboard of a business called “www evil example”\./);
});
