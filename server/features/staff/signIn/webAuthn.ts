import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";

/** The identity for which passkeys are made, from the dashboard's address. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

export const relyingPartyOf = (dashboardUrl: string): RelyingParty => {
  const { hostname, origin } = new URL(dashboardUrl);
  return { id: hostname, origin };
};

/** A registered passkey. */
export interface NewPasskey {
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
}

export type Assertion = AuthenticationResponseJSON;
export type Registration = RegistrationResponseJSON;

/** The challenge that a browser claims to answer; null if it names none. It is looked up before anything is verified. */
export function challengeOf({ response }: Assertion | Registration): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString()) as {
      challenge?: unknown;
    };
    return typeof challenge === "string" && challenge.length <= 100 ? challenge : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Imported at first use: its certificate parsers take a third of a second to load. */
const load = () => import("@simplewebauthn/server");

/** COSE: EdDSA, ES256, RS256. */
export const ALGORITHMS = [-8, -7, -257];
const TRANSPORTS = new Set(["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"]);

/**
 * Verifies a registration. Null if it is not valid. Attestations with certificates are refused before they are parsed:
 * we request none, and a check would fetch addresses that they name.
 */
export async function verifyRegistration(
  response: Registration,
  challenge: string,
  party: RelyingParty,
): Promise<NewPasskey | null> {
  const { verifyRegistrationResponse } = await load();
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  try {
    const attestation = decodeAttestationObject(Buffer.from(response.response.attestationObject, "base64url"));
    const format = attestation.get("fmt");
    if (format !== "none" && (format !== "packed" || attestation.get("attStmt").get("x5c") !== undefined)) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return null;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return {
      credentialId: id,
      publicKey: Buffer.from(publicKey),
      counter,
      transports: transports.filter((one) => TRANSPORTS.has(one)),
    };
  } catch (error) {
    return refused(error);
  }
}

/** Returns the new counter, or null if the answer is not valid. */
export async function verifyAssertion(
  response: Assertion,
  challenge: string,
  party: RelyingParty,
  { credentialId, publicKey, counter }: Omit<NewPasskey, "transports">,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await load();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch (error) {
    return refused(error);
  }
}

/** The library throws several classes of errors for invalid input. No other error is possible here: there is no I/O. */
function refused(error: unknown): null {
  if (error instanceof Error) return null;
  throw error;
}
