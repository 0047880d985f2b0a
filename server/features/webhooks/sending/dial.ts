import { checkServerIdentity, connect, type SecureContext, type TLSSocket } from "node:tls";
import { isSameAddress } from "./address.ts";
import { Refused } from "./guard.ts";
import type { ResolvedAddress } from "./resolver.ts";

/** A connection could not be made. */
export class Unconnected extends Error {
  override readonly name = "Unconnected";
  /** When the peer's certificate ends, as far as TLS got. */
  readonly certificateUntil: Date | null;

  constructor(cause: Error, certificateUntil: Date | null) {
    super(cause.message, { cause });
    this.certificateUntil = certificateUntil;
  }
}

/**
 * Dials the checked address itself; SNI and the certificate's check stay on the name. Exactly one of `up` and `failed` is
 * called, later; destroying the socket before is a failure too.
 */
export function dial(
  name: string,
  address: ResolvedAddress,
  secureContext: SecureContext,
  connectMs: number,
  up: () => void,
  failed: (error: Unconnected) => void,
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
  // Before its verification, which may destroy it: the end of a certificate that expired is worth telling.
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
    // Whatever else goes wrong with it is of no interest.
    socket.on("error", () => undefined);
    socket.destroy();
    failed(new Unconnected(error, certificateUntil));
  };
  const close = () => fail(withCode("The connection was closed before it was made.", "ECONNRESET"));
  const secured = () => {
    if (!isSameAddress(socket.remoteAddress ?? "", address.address)) {
      fail(new Refused("the connection led to another address than the one that was checked"));
      return;
    }
    settle();
    up();
  };
  socket.on("error", fail).on("close", close).on("secureConnect", secured);
  return socket;
}

export const withCode = (message: string, code: string) => Object.assign(new Error(message), { code });
