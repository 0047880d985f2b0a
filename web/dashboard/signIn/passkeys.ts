import * as texts from "../catalogue/index.ts";
/** Returns true if the browser has the JSON forms of passkeys; without them passkeys are not offered. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential !== "undefined" &&
  "parseRequestOptionsFromJSON" in PublicKeyCredential &&
  "parseCreationOptionsFromJSON" in PublicKeyCredential;

/** The user closed the browser's question, or no passkey fits: nothing went wrong. */
class NoPasskeyError extends Error {
  override readonly name = "NoPasskeyError";
}

/** The form that the service accepts; its schema defines the contents. */
// biome-ignore lint/suspicious/noExplicitAny: the browser's type does not say what kind of credential its JSON is of
type CredentialJson = any;

export async function readPasskey(publicKey: Readonly<Record<string, unknown>>): Promise<CredentialJson> {
  const options = PublicKeyCredential.parseRequestOptionsFromJSON(
    publicKey as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  return jsonOf(navigator.credentials.get({ publicKey: options }));
}

export async function makePasskey(publicKey: Readonly<Record<string, unknown>>): Promise<CredentialJson> {
  const options = PublicKeyCredential.parseCreationOptionsFromJSON(
    publicKey as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  return jsonOf(navigator.credentials.create({ publicKey: options }));
}

async function jsonOf(asked: Promise<Credential | null>): Promise<CredentialJson> {
  const credential = await asked.catch((error: Error) => {
    if (error.name === "NotAllowedError" || error.name === "AbortError") return null;
    throw error;
  });
  if (credential === null) throw new NoPasskeyError(texts.signIn.noPasskey);
  return (credential as PublicKeyCredential).toJSON();
}
