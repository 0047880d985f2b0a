import { checkServerIdentity, connect, type SecureContext, type TLSSocket } from "node:tls";
import { isSameAddress } from "./address.ts";
import { DeliveryError } from "./guard.ts";
import type { ResolvedAddress } from "./resolver.ts";

/** A connection could not be established. */
export class ConnectError extends Error {
  override readonly name = "ConnectError";
  /** The end of the peer's certificate; null if TLS did not get that far. */
  readonly certificateUntil: Date | null;

  constructor(cause: Error, certificateUntil: Date | null) {
    super(cause.message, { cause });
    this.certificateUntil = certificateUntil;
  }
}

/**
 * Dials the checked address itself, while SNI and the check of the certificate use the name. Calls exactly one of `up`
 * and `failed`, never before it returns. If the socket is destroyed first, calls `failed`.
 */
export function dial(
  name: string,
  address: ResolvedAddress,
  secureContext: SecureContext,
  connectMs: number,
  up: () => void,
  failed: (error: ConnectError) => void,
): TLSSocket {
  const socket = connect({
    host: address.address,
    port: address.port,
    servername: name,
    rejectUnauthorized: true,
    checkServerIdentity,
    ALPNProtocols: ["http/1.1"],
    secureContext,
  });
  socket.setNoDelay(true);
  let certificateUntil: Date | null = null;
  const timer = setTimeout(
    () => socket.destroy(withCode("The connection was not made in time.", "ETIMEDOUT")),
    connectMs,
  );
  // Runs before the certificate is verified, which may destroy the socket: the reason for the merchant names its expiry date.
  socket.prependListener("secure", () => {
    const until = Date.parse(socket.getPeerCertificate().valid_to);
    certificateUntil = Number.isNaN(until) ? null : new Date(until);
  });
  const settle = () => {
    clearTimeout(timer);
    socket.off("error", fail).off("close", close).off("secureConnect", secured);
  };
  const fail = (error: Error) => {
    settle();
    // Ignore further errors of this socket.
    socket.on("error", () => undefined);
    socket.destroy();
    failed(new ConnectError(error, certificateUntil));
  };
  const close = () => fail(withCode("The connection was closed before it was made.", "ECONNRESET"));
  const secured = () => {
    if (!isSameAddress(socket.remoteAddress ?? "", address.address)) {
      fail(new DeliveryError("the connection led to another address than the one that was checked", "address"));
      return;
    }
    settle();
    up();
  };
  socket.on("error", fail).on("close", close).on("secureConnect", secured);
  return socket;
}

export const withCode = (message: string, code: string) => Object.assign(new Error(message), { code });
