import assert from "node:assert/strict";
import type { Browser } from "../../../../tests/harness/staffBrowser.ts";
import { readBase32, stepAt, totpCode } from "../signIn/totp.ts";

/** Adds an authenticator app to the user of a browser. */
export async function addApp(browser: Browser) {
  const { secret, uri } = (await browser.post("/authenticator-app")).json;
  assert.ok(uri.includes(`secret=${secret}`));
  // The previous step is valid too, so the codes of this and the next step remain for the test.
  const code = (ahead: number) => totpCode(readBase32(secret), stepAt(new Date()) + ahead);
  const confirm = () => browser.post("/authenticator-app/confirm", { code: code(-1) });
  const startedAt = stepAt(new Date());
  let confirmed = await confirm();
  // If a step ended meanwhile, the code was one too early.
  if (confirmed.status === 409 && stepAt(new Date()) !== startedAt) confirmed = await confirm();
  assert.equal(confirmed.status, 200, confirmed.text);
  return { secret: secret as string, code, backupCodes: confirmed.json.codes as string[] };
}
