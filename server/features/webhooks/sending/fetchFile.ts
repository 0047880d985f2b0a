import { ConnectError, type Line } from "./connections.ts";
import { DestinationError, readDestination } from "./destination.ts";
import { DeliveryError, resolveAddresses } from "./guard.ts";
import { explainError, explainStatus } from "./reasons.ts";
import { ATTEMPT_MS, type SendDeps } from "./send.ts";

/** A small file by https, or the reason why there is none. */
export interface FetchedFile {
  /** The file's text; null if there is no such file, or it could not be read. */
  readonly text: string | null;
  /** True if a server answered for the name: its answer is the content of the place. */
  readonly isAnswer: boolean;
  readonly reason: string | null;
}

/** Settings of a read; a proof of a domain is short. */
export interface FetchOptions {
  readonly bytesMax?: number;
}

const FILE_BYTES_MAX = 8_192;
const CONNECT_MS = 3_000;
const ADDRESSES_TRIED_MAX = 2;

/**
 * Reads a file from a name by the rules of deliveries (§6.1.5): port 443, public addresses that were just resolved and
 * checked, a certificate for the name, no redirects. Never throws: every error is a reason.
 */
export async function fetchFile(
  deps: SendDeps,
  name: string,
  path: string,
  { bytesMax = FILE_BYTES_MAX }: FetchOptions = {},
): Promise<FetchedFile> {
  const attemptMs = deps.attemptMs ?? ATTEMPT_MS;
  const signal = AbortSignal.timeout(attemptMs);
  try {
    const destination = readDestination(`https://${name}${path}`);
    const addresses = await resolveAddresses(deps.resolve, destination.name, signal);
    const tried = addresses.slice(0, ADDRESSES_TRIED_MAX);
    for (const [index, address] of tried.entries()) {
      const line = deps.connections.open(destination.name, address, CONNECT_MS);
      try {
        return await read(line, destination.path, bytesMax, signal);
      } catch (error) {
        if (index === tried.length - 1 || !(error instanceof ConnectError)) throw error;
      } finally {
        line.destroy().catch(() => undefined);
      }
    }
    throw new DeliveryError(`the name ${destination.name} has no address in DNS`, "dns");
  } catch (error) {
    return { text: null, isAnswer: false, reason: explain(error, attemptMs) };
  }
}

function explain(error: unknown, attemptMs: number): string {
  if (error instanceof DestinationError) return error.message;
  if (error instanceof Error && error.name === "TimeoutError") return `no answer within ${attemptMs / 1000} s`;
  return error instanceof ConnectError
    ? explainError(error.cause, error.certificateUntil).text
    : explainError(error, null).text;
}

function read(line: Line, path: string, bytesMax: number, signal: AbortSignal): Promise<FetchedFile> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    line.dispatch(
      {
        method: "GET",
        path,
        headers: {
          "user-agent": "Service-Domains/1.0",
          accept: "text/plain, */*;q=0.5",
          "accept-encoding": "identity",
        },
      },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, status) => {
          if (status < 200 || status === 200) return;
          // An overloaded or broken server does not say what the place contains.
          const isAnswer = status < 500 && status !== 429;
          resolve({ text: null, isAnswer, reason: explainStatus(status).text });
        },
        onResponseData: (_controller, chunk) => {
          bytes += chunk.length;
          if (bytes > bytesMax)
            resolve({ text: null, isAnswer: true, reason: `the file is longer than ${bytesMax} bytes` });
          else chunks.push(Buffer.from(chunk));
        },
        onResponseEnd: () => {
          signal.removeEventListener("abort", stop);
          resolve({ text: Buffer.concat(chunks).toString("utf8"), isAnswer: true, reason: null });
        },
        onResponseError: (_controller, error) => {
          signal.removeEventListener("abort", stop);
          reject(error);
        },
      },
    );
  });
}
