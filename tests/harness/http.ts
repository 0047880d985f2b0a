import { type IncomingMessage, request as send } from "node:http";
import { connect } from "node:net";
import { HUNG_MS } from "./wait.ts";

/** The response. `json` is the body parsed as JSON, or null if it is not JSON. */
export interface Answer {
  /** The beginning of the request, for messages: an assertion in a loop says which value failed. */
  readonly request: string;
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read into it and assert what they find.
  readonly json: any;
}

export interface Request {
  /** In pairs as they go over the wire, so that a header can be given twice. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array;
}

const REQUEST_SHOWN_MAX = 500;

const answerOf = (asked: string, status: number, headers: Answer["headers"], text: string): Answer => {
  let json: unknown = null;
  try {
    json = JSON.parse(text);
  } catch {
    // The body is not JSON; `json` is null.
  }
  return { request: asked.slice(0, REQUEST_SHOWN_MAX), status, headers, text, json };
};

/** Sends one request with exactly these headers, besides Host and the length of the body. */
export function exchange(method: string, url: string, { headers = [], body }: Request = {}): Promise<Answer> {
  const { hostname, port, host } = new URL(url);
  // The path as written: URL would normalize `//`, `..` and characters that tests mean to send.
  const path = url.slice(url.indexOf("/", "http://".length));
  const length = method === "GET" || method === "HEAD" ? [] : ["Content-Length", String(Buffer.byteLength(body ?? ""))];
  const asked = `${method} ${path} ${Buffer.from(body ?? "").toString()}`;
  return new Promise((done, fail) => {
    const outgoing = send(
      { hostname, port, path, method, headers: ["Host", host, ...headers.flat(), ...length], timeout: HUNG_MS },
      (incoming) => {
        let text = "";
        incoming.setEncoding("utf8");
        incoming.on("data", (chunk: string) => {
          text += chunk;
        });
        incoming.on("end", () => done(answerOf(asked, incoming.statusCode!, incoming.headers, text)));
        incoming.on("error", fail);
      },
    );
    outgoing.on("timeout", () => outgoing.destroy(new Error(`${method} ${path}: no answer in ${HUNG_MS} ms`)));
    outgoing.on("error", fail);
    outgoing.end(body);
  });
}

/** Sends these bytes as they are; returns the first answer, and whether the connection was closed after it. */
export function exchangeRaw(port: number, bytes: string | Uint8Array): Promise<Answer & { readonly closed: boolean }> {
  const asked = Buffer.from(bytes).toString("latin1");
  return new Promise((done, fail) => {
    const socket = connect({ port, host: "localhost" });
    let received = "";
    const answer = (closed: boolean) => {
      const [head = "", ...rest] = received.split("\r\n\r\n");
      const [first = "", ...lines] = head.split("\r\n");
      const headers = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
      );
      const text = rest.join("\r\n\r\n");
      if (!closed && (text === "" || Buffer.byteLength(text) < Number(headers["content-length"] ?? 0))) return;
      socket.destroy();
      done({ ...answerOf(asked, Number(first.split(" ")[1]), headers, text), closed });
    };
    socket.setTimeout(HUNG_MS, () => socket.destroy(new Error(`no answer in ${HUNG_MS} ms`)));
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      received += chunk;
      // With `Connection: close` the end is worth waiting for: it is part of the answer.
      if (!/\r\nconnection: close\r\n/i.test(received)) answer(false);
    });
    socket.on("end", () => answer(true));
    socket.on("error", (error) => (received === "" ? fail(error) : answer(true)));
    socket.write(bytes);
  });
}
