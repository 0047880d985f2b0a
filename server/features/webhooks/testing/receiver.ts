import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A certificate authority of the test's own, and certificates under it. */
export interface Authority {
  /** PEM of the authority, for WEBHOOK_CA_FILE. */
  readonly ca: string;
  issue(
    names: readonly string[],
    options?: { readonly days?: number; readonly notAfter?: string },
  ): { key: string; cert: string };
}

/** Made with the openssl of the machine, in a temporary folder that is gone afterwards. */
export function createAuthority(): Authority {
  const inFolder = <Result>(work: (folder: string, openssl: (...args: string[]) => void) => Result): Result => {
    const folder = mkdtempSync(join(tmpdir(), "holdfast-ca-"));
    try {
      return work(
        folder,
        (...args) => void execFileSync("openssl", args, { cwd: folder, stdio: ["ignore", "ignore", "ignore"] }),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const keyArgs = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const root = inFolder((folder, openssl) => {
    openssl(
      "req",
      "-x509",
      ...keyArgs,
      "-keyout",
      "ca.key",
      "-out",
      "ca.pem",
      "-days",
      "30",
      "-subj",
      "/CN=Test authority",
      "-addext",
      "basicConstraints=critical,CA:TRUE",
    );
    return { ca: readFileSync(join(folder, "ca.pem"), "utf8"), key: readFileSync(join(folder, "ca.key"), "utf8") };
  });
  return {
    ca: root.ca,
    issue: (names, options = {}) =>
      inFolder((folder, openssl) => {
        writeFileSync(join(folder, "ca.pem"), root.ca);
        writeFileSync(join(folder, "ca.key"), root.key);
        writeFileSync(join(folder, "ext"), `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}\n`);
        openssl("req", ...keyArgs, "-keyout", "key.pem", "-out", "csr.pem", "-subj", `/CN=${names[0]}`);
        openssl(
          "x509",
          "-req",
          "-in",
          "csr.pem",
          "-CA",
          "ca.pem",
          "-CAkey",
          "ca.key",
          "-CAcreateserial",
          "-out",
          "cert.pem",
          "-extfile",
          "ext",
          "-days",
          String(options.days ?? 30),
        );
        return {
          key: readFileSync(join(folder, "key.pem"), "utf8"),
          cert: readFileSync(join(folder, "cert.pem"), "utf8"),
        };
      }),
  };
}

/** A request as it arrived. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
  /** Requests under way here, this one among them. */
  readonly inFlight: number;
}

export interface Receiver extends AsyncDisposable {
  readonly port: number;
  readonly received: Received[];
  readonly server: Server;
  /** How many requests were ever under way at once. */
  inFlightMax: number;
  connections: number;
}

export type Answer = (request: Received, response: ServerResponse) => void;

/** A real HTTPS server on loopback that keeps all it gets; answers 200 unless told otherwise. */
export async function startReceiver(
  certificate: { key: string; cert: string },
  answer: Answer = (_request, response) => void response.end("ok"),
  { keep = true, address = "127.0.0.1" }: { readonly keep?: boolean; readonly address?: string } = {},
): Promise<Receiver> {
  let inFlight = 0;
  const server = createServer({ ...certificate, keepAliveTimeout: 30_000 }, (request, response) => {
    const at = performance.now();
    inFlight++;
    receiver.inFlightMax = Math.max(receiver.inFlightMax, inFlight);
    response.once("close", () => inFlight--);
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => undefined);
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const received = { path: request.url ?? "", headers: request.headers, body, at, inFlight };
      if (keep) receiver.received.push(received);
      answer(received, response);
    });
  });
  server.on("connection", () => receiver.connections++);
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const receiver: Receiver = {
    port: (server.address() as AddressInfo).port,
    received: [],
    server,
    inFlightMax: 0,
    connections: 0,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return receiver;
}
