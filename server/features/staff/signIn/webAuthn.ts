import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";

/** Who the passkeys are for, by the dashboard's address. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

export const relyingPartyOf = (dashboardUrl: string): RelyingParty => {
  const { hostname, origin } = new URL(dashboardUrl);
  return { id: hostname, origin };
};

/** A passkey as it was registered. */
export interface NewPasskey {
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
}

export type Assertion = AuthenticationResponseJSON;
export type Registration = RegistrationResponseJSON;

/** The challenge that a browser says it answered; null: it says none. It is looked up before anything is verified. */
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

/** Loaded at first use: its parsers of certificates take a third of a second. */
const load = () => import("@simplewebauthn/server");

/** COSE: EdDSA, ES256, RS256. */
export const ALGORITHMS = [-8, -7, -257];
const TRANSPORTS = new Set(["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"]);

/**
 * Verifies a registration. Null: it does not hold. Attestations that name certificates are refused before anyone looks at
 * them: we ask for none, and to check one means to fetch addresses that it names.
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

/** Verifies the answer of a passkey. Null: it does not hold; else its counter. */
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

/** The library throws for what a browser sent wrong, in several classes of errors; nothing else fails here: no I/O is done. */
function refused(error: unknown): null {
  if (error instanceof Error) return null;
  throw error;
}
