import assert from "node:assert/strict";
import type { Browser } from "../../../../tests/harness/staffBrowser.ts";
import { Authenticator } from "./authenticator.ts";

/** Adds a passkey to the user of a browser. Returns its id and its authenticator. */
export async function addPasskey(browser: Browser, name: string) {
  const authenticator = new Authenticator(browser.origin);
  const { publicKey } = (await browser.post("/passkeys/challenge")).json;
  const answer = await browser.post("/passkeys", { name, credential: authenticator.create(publicKey) });
  assert.equal(answer.status, 201, answer.text);
  return { id: answer.json.id as string, authenticator };
}

/** Signs in by the passkey and returns the status. */
export async function signInByPasskey(browser: Browser, authenticator: Authenticator): Promise<number> {
  const { publicKey } = (await browser.post("/sign-in/passkey/challenge")).json;
  return (await browser.post("/sign-in/passkey", { credential: authenticator.get(publicKey) })).status;
}
