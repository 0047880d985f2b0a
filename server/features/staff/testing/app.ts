import assert from "node:assert/strict";
import type { Browser } from "../../../../tests/harness/staffBrowser.ts";
import { readBase32, stepAt, totpCode } from "../signIn/totp.ts";

/** Adds an authenticator app to the user of a browser, as they would. */
export async function addApp(browser: Browser) {
  const { secret, uri } = (await browser.post("/authenticator-app")).json;
  assert.ok(uri.includes(`secret=${secret}`));
  // The step before counts too: the codes of now and of the next step stay for the test.
  const code = (ahead: number) => totpCode(readBase32(secret), stepAt(new Date()) + ahead);
  const confirm = () => browser.post("/authenticator-app/confirm", { code: code(-1) });
  const startedAt = stepAt(new Date());
  let confirmed = await confirm();
  // A step that ended meanwhile made the code one too early.
  if (confirmed.status === 409 && stepAt(new Date()) !== startedAt) confirmed = await confirm();
  assert.equal(confirmed.status, 200, confirmed.text);
  return { secret: secret as string, code, backupCodes: confirmed.json.codes as string[] };
}
