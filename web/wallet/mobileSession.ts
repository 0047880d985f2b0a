import { fromBase64, toBase64 } from "./base64.ts";
import { type Association, type Channel, type Hello, newHello } from "./mobileChannel.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** The wallet's app may send bytes, or the same in base64 text. */
const PROTOCOLS = ["com.solana.mobilewalletadapter.v1", "com.solana.mobilewalletadapter.v1.base64"];
/** The app has to start, and a person may have to choose it first. The page retries for this long, at first quickly. */
const CONNECT_MS_MAX = 30_000;
const RETRY_WAITS_MS = [150, 150, 200, 500, 500, 750, 750, 1_000];
const HELLO_MS_MAX = 15_000;
/** An app asks for another hello once; endless requests are not from an app. */
const HELLOS_MAX = 5;
/** A person reads and decides meanwhile; the signed transaction is valid for ten minutes. */
const ANSWER_MS_MAX = 600_000;

/** The error that a wallet's app answered. */
export class MobileWalletError extends Error {
  override readonly name = "MobileWalletError";
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A session with a wallet's app on the same phone: JSON-RPC through an encrypted channel. Any failure ends all of it. */
export class MobileSession {
  readonly version: "v1" | "legacy";
  readonly #socket: WebSocket;
  readonly #channel: Channel;
  readonly #waiting = new Map<number, Waiting>();
  #requests = 0;
  /** Sends and reads one message after the other: their numbers must stay in order. */
  #sending: Promise<unknown> = Promise.resolve();
  #reading: Promise<unknown> = Promise.resolve();

  private constructor(socket: WebSocket, channel: Channel, version: "v1" | "legacy") {
    this.version = version;
    this.#socket = socket;
    this.#channel = channel;
    socket.onmessage = ({ data }) => {
      this.#reading = this.#reading.then(() => this.#read(bytesOf(data))).catch((error: Error) => this.#end(error));
    };
    socket.onclose = () => this.#end(new Error("the wallet's app closed the connection"));
  }

  /** Waits for the app to answer on a port of this device. `signal` ends the wait when no app will answer. */
  static async open(port: number, association: Association, signal: AbortSignal): Promise<MobileSession> {
    const until = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS_MAX)]);
    for (let tries = 0; ; tries++) {
      until.throwIfAborted();
      const socket = await connect(`ws://localhost:${port}/solana-wallet`, until);
      if (socket === null) await sleep(RETRY_WAITS_MS[Math.min(tries, RETRY_WAITS_MS.length - 1)]!, until);
      else return MobileSession.#greet(socket, association);
    }
  }

  static async #greet(socket: WebSocket, association: Association): Promise<MobileSession> {
    const messages = new Messages(socket);
    try {
      for (let hellos = 0; hellos < HELLOS_MAX; hellos++) {
        const hello: Hello = await newHello(association);
        send(socket, hello.message);
        const answer = await messages.next();
        // An empty message means that the other side has only just connected: it did not hear the first hello.
        if (answer.length === 0) continue;
        const { channel, version } = await hello.finish(answer);
        return new MobileSession(socket, channel, version);
      }
      throw new Error("the wallet's app asked for too many hellos");
    } catch (error) {
      socket.close();
      throw error;
    }
  }

  /** Throws {@link MobileWalletError} if the app refuses, and any other error if the session broke. */
  async call(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#requests;
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    const timer = setTimeout(() => this.#end(new Error("the wallet's app did not answer")), ANSWER_MS_MAX);
    this.#sending = this.#sending
      .then(async () => {
        const message = await this.#channel.seal(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
        if (this.#socket.readyState !== WebSocket.OPEN) throw new Error("the wallet's app closed the connection");
        send(this.#socket, message);
      })
      .catch((error: Error) => this.#end(error));
    return answer.finally(() => clearTimeout(timer));
  }

  close(): void {
    this.#end(new Error("the session was ended"));
  }

  async #read(message: Bytes): Promise<void> {
    const { id, result, error } = JSON.parse(await this.#channel.open(message)) as {
      readonly id?: number;
      readonly result?: unknown;
      readonly error?: { readonly code?: unknown; readonly message?: unknown } | null;
    };
    const waiting = this.#waiting.get(id!);
    if (waiting === undefined) throw new Error("the wallet's app answered what it was not asked");
    this.#waiting.delete(id!);
    // Some libraries write an absent member as null.
    if (error === undefined || error === null) waiting.resolve(result);
    else waiting.reject(new MobileWalletError(Number(error.code), String(error.message ?? "")));
  }

  #end(error: Error): void {
    this.#socket.onmessage = null;
    this.#socket.onclose = null;
    this.#socket.close();
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

/** Opens a socket. Null: no app answers there yet. */
function connect(url: string, signal: AbortSignal): Promise<WebSocket | null> {
  const socket = new WebSocket(url, PROTOCOLS);
  socket.binaryType = "arraybuffer";
  return new Promise<WebSocket | null>((resolve) => {
    const giveUp = () => {
      resolve(null);
      socket.close();
    };
    signal.addEventListener("abort", giveUp, { once: true });
    socket.onopen = () => {
      signal.removeEventListener("abort", giveUp);
      resolve(socket);
    };
    socket.onerror = () => {
      signal.removeEventListener("abort", giveUp);
      resolve(null);
    };
  });
}

/** Queues the messages of a socket until the session takes them: none is lost between two of its steps. */
class Messages {
  readonly #arrived: Bytes[] = [];
  #waiting: Waiting | null = null;
  #error: Error | null = null;

  constructor(socket: WebSocket) {
    socket.onmessage = ({ data }) => {
      const message = bytesOf(data);
      if (this.#waiting === null) this.#arrived.push(message);
      else this.#waiting.resolve(message);
      this.#waiting = null;
    };
    socket.onclose = () => this.#fail("the wallet's app closed the connection");
  }

  async next(): Promise<Bytes> {
    const first = this.#arrived.shift();
    if (first !== undefined) return first;
    if (this.#error !== null) throw this.#error;
    const timer = setTimeout(() => this.#fail("the wallet's app did not answer"), HELLO_MS_MAX);
    const arrived = new Promise<unknown>((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
    return arrived.finally(() => clearTimeout(timer)) as Promise<Bytes>;
  }

  #fail(words: string): void {
    this.#error = new Error(words);
    this.#waiting?.reject(this.#error);
  }
}

const bytesOf = (data: ArrayBuffer | string): Bytes =>
  typeof data === "string" ? (fromBase64(data) as Bytes) : new Uint8Array(data);

const send = (socket: WebSocket, message: Bytes): void =>
  socket.send(socket.protocol.endsWith(".base64") ? toBase64(message) : message);

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const wake = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener("abort", wake, { once: true });
  });
