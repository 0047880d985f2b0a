import { STATUS_CODES } from "node:http";
import type { ErrorClass } from "../webhook.ts";
import { DeliveryError } from "./guard.ts";

/** The reason why an attempt failed, as a text for the merchant and as a class, and whether it may be overload. */
export interface Reason {
  readonly text: string;
  readonly errorClass: ErrorClass;
  readonly overloaded: boolean;
}

const REDIRECTS = new Set([300, 301, 302, 303, 307, 308]);

/** §6.2: any status but 2xx is a failure. */
export function explainStatus(status: number): Reason {
  if (REDIRECTS.has(status))
    return { text: `answered ${status}; redirects are not followed`, errorClass: "redirect", overloaded: false };
  const phrase = STATUS_CODES[status];
  return {
    text: `answered ${status}${phrase === undefined ? "" : ` ${phrase}`}`,
    errorClass: status >= 500 ? "server_error" : status >= 400 ? "client_error" : "other",
    overloaded: status === 429 || status === 503,
  };
}

const BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset before an answer came",
  EPIPE: "the connection was closed before an answer came",
  UND_ERR_SOCKET: "the connection was closed before an answer came",
  EHOSTUNREACH: "the address cannot be reached",
  ENETUNREACH: "the address cannot be reached",
  ETIMEDOUT: "the connection timed out",
  UND_ERR_CONNECT_TIMEOUT: "the connection timed out",
  ECONNABORTED: "the connection was broken off",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the certificate's chain ends in one that is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate's chain is incomplete: an intermediate certificate is missing",
  UNABLE_TO_GET_ISSUER_CERT: "the certificate's chain is incomplete: an intermediate certificate is missing",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the certificate's chain ends in one that is not trusted",
  CERT_REVOKED: "the certificate was revoked",
  UND_ERR_HEADERS_OVERFLOW: "the answer's headers are too large",
  ENOTFOUND: "the name does not exist in DNS",
  ENODATA: "the name has no address in DNS",
  ESERVFAIL: "the DNS servers could not answer for the name",
  ETIMEOUT: "the DNS servers did not answer",
  EREFUSED: "the DNS servers refused to answer for the name",
};

export function explainError(error: unknown, certificateUntil: Date | null): Reason {
  if (error instanceof DeliveryError) return { text: error.message, errorClass: error.errorClass, overloaded: false };
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const onDate = certificateUntil === null ? "" : ` on ${certificateUntil.toISOString().slice(0, 10)}`;
  const tls = (text: string, overloaded = false): Reason => ({ text, errorClass: "tls", overloaded });
  if (code === "CERT_HAS_EXPIRED") return tls(`the certificate expired${onDate}`);
  if (code === "CERT_NOT_YET_VALID") return tls("the certificate is not valid yet");
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return tls("the certificate is not for this name");
  if (isNotHttp(error)) return { text: "the answer is not valid HTTP/1.1", errorClass: "protocol", overloaded: false };
  if (code.startsWith("ERR_SSL") || code === "EPROTO") return tls("no TLS connection could be agreed on", true);
  // Without any answer, the endpoint may be dead or overloaded: it gets fewer deliveries until it answers again.
  return { text: BY_CODE[code] ?? "no answer could be read", errorClass: classOf(code), overloaded: true };
}

const DNS_CODES = new Set(["ENOTFOUND", "ENODATA", "ESERVFAIL", "ETIMEOUT", "EREFUSED"]);
const PROTOCOL_CODES = new Set(["UND_ERR_HEADERS_OVERFLOW"]);
const TLS_CODE = /CERT|SIGNATURE/;

function classOf(code: string): ErrorClass {
  if (DNS_CODES.has(code)) return "dns";
  if (PROTOCOL_CODES.has(code)) return "protocol";
  if (TLS_CODE.test(code)) return "tls";
  return code in BY_CODE ? "connection" : "other";
}

/** The client's parser throws errors that may have no code, and one of Node's assertions for a status below 100. */
const isNotHttp = (error: unknown): boolean => error instanceof Error && NOT_HTTP.has(error.name);
const NOT_HTTP = new Set(["HTTPParserError", "AssertionError", "ResponseContentLengthMismatchError"]);
