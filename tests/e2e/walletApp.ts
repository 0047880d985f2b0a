import {
  createCipheriv,
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import type { Page } from "playwright-core";
import { type WebSocket, WebSocketServer } from "ws";
import { rpc } from "../harness/chain.ts";
import type { Wire } from "../harness/merchant.ts";
import type { RunningService } from "../harness/service.ts";
import { signAs } from "./wallet.ts";

const BINARY = "com.solana.mobilewalletadapter.v1";
const BASE64 = "com.solana.mobilewalletadapter.v1.base64";

/** The behaviour of the app and of the person who uses it. */
export interface WalletAppOptions {
  readonly version?: "v1" | "legacy";
  readonly encoding?: "binary" | "base64";
  /** Optional features of the second version; default: it signs without sending. With null it names none. */
  readonly features?: readonly string[] | null;
  /** Networks of its account; default: the one that is asked for. */
  readonly chains?: readonly string[];
  readonly networks?: readonly string[];
  /** Its refusal of the authorization, if it refuses. */
  readonly refuses?: AppRefusal;
  /** Throws to decline. */
  readonly handle?: (transaction: Buffer) => Buffer | Promise<Buffer>;
  /** Changes a message on its way to the page. `number` counts messages; the answer to the first hello is number 0. */
  readonly tamper?: (message: Buffer, number: number) => Buffer;
  /** The app knows no method to send. */
  readonly cannotSend?: boolean;
  /** Drops the transactions that it was asked to send. */
  readonly keeps?: boolean;
  /** Its answers have the member `error` even when there is no error. */
  readonly nullErrors?: boolean;
  /** Goes back to the browser where it cannot listen on its port; otherwise that ends the test. */
  readonly givesUp?: boolean;
  /** Says that it is there only after the page's first hello, as some do. */
  readonly pings?: boolean;
}

/** A refusal as the protocol has it. */
export class AppRefusal extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * A wallet's app on the phone, which knows nothing of the page but the published protocol: the link that opened it, and what
 * comes through the socket. Its cryptography is Node's, not the page's.
 */
export class WalletApp {
  readonly key = newWallet();
  /** The links that opened it. */
  readonly links: URL[] = [];
  /** The requests it got, by method. */
  readonly calls: { readonly method: string; readonly params: Wire }[] = [];
  /** The page's violations of the protocol. */
  readonly complaints: string[] = [];
  readonly #service: Pick<RunningService, "rpcUrl"> | null;
  readonly #options: WalletAppOptions;
  readonly #servers: WebSocketServer[] = [];

  constructor(service: RunningService | null, options: WalletAppOptions = {}) {
    this.#service = service;
    this.#options = options;
  }

  /** Is opened by the page's links, as Android opens an app: the browser goes to the background. */
  async install(page: Page): Promise<void> {
    const session = await page.context().newCDPSession(page);
    await session.send("Page.enable");
    session.on("Page.frameRequestedNavigation", ({ url }: { url: string }) => {
      if (!url.startsWith("solana-wallet:")) return;
      this.links.push(new URL(url));
      void this.#listen(new URL(url)).catch((error: Error) => {
        this.complaints.push(error.message);
        if (this.#options.givesUp) return page.evaluate("dispatchEvent(new Event('focus'))");
        return page.close({ reason: `The wallet's app cannot listen: ${error.message}` });
      });
    });
    // In the page itself, so that it is at once however busy the machine is.
    await page.addInitScript(`navigation.addEventListener("navigate", ({ destination }) => {
      if (destination.url.startsWith("solana-wallet:")) dispatchEvent(new Event("blur"));
    })`);
  }

  async close(): Promise<void> {
    for (const server of this.#servers) {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  async #listen(link: URL): Promise<void> {
    const server = new WebSocketServer({
      host: "localhost",
      port: Number(link.searchParams.get("port")),
      path: "/solana-wallet",
      handleProtocols: (offered) => {
        if (!offered.has(BINARY) || !offered.has(BASE64)) this.complaints.push("it does not offer both encodings");
        return this.#options.encoding === "base64" ? BASE64 : BINARY;
      },
    });
    this.#servers.push(server);
    server.on("connection", (socket) => new AppSession(this, socket, link, this.#options));
    await once(server, "listening");
    if ((server.address() as AddressInfo).port < 49_152) this.complaints.push("the port is not one of chance");
  }

  async answer(method: string, params: Wire): Promise<unknown> {
    this.calls.push({ method, params });
    const { version = "v1", features = ["solana:signTransactions"], networks, cannotSend, chains } = this.#options;
    const sign = async () => {
      const { handle = (one) => one } = this.#options;
      return signAs(this.key, await handle(Buffer.from(params.payloads[0], "base64")));
    };
    switch (method) {
      case "get_capabilities":
        if (features === null) throw new AppRefusal(-32_601, "method not found");
        return version === "legacy"
          ? { supports_clone_authorization: false, supports_sign_and_send_transactions: true }
          : { supported_transaction_versions: ["legacy", 0], features };
      case "authorize": {
        const wanted = params.chain ?? params.cluster;
        if (this.#options.refuses !== undefined) throw this.#options.refuses;
        if (networks !== undefined && !networks.includes(wanted)) throw new AppRefusal(-7, "chain not supported");
        const address = Buffer.from(this.key.secret.subarray(32)).toString("base64");
        return {
          auth_token: "token",
          accounts: [{ address, ...(version === "v1" && { chains: chains ?? [wanted] }) }],
        };
      }
      case "sign_transactions":
        return { signed_payloads: [(await sign()).toString("base64")] };
      case "sign_and_send_transactions": {
        if (cannotSend) throw new AppRefusal(-32_601, "method not found");
        const signed = await sign();
        const options = { encoding: "base64", preflightCommitment: "confirmed" };
        if (!this.#options.keeps) await rpc(this.#service!, "sendTransaction", signed.toString("base64"), options);
        return { signatures: [signed.subarray(1, 65).toString("base64")] };
      }
      default:
        throw new AppRefusal(-32_601, "method not found");
    }
  }
}

/** A connection: hello, then JSON-RPC in sealed messages that each side numbers from 1. */
class AppSession {
  readonly #app: WalletApp;
  readonly #socket: WebSocket;
  readonly #association: Buffer;
  readonly #hasVersion: boolean;
  readonly #options: WalletAppOptions;
  #secret: Buffer | null = null;
  #sent = 0;
  #received = 0;
  #messages = 0;
  #pinged = false;

  constructor(app: WalletApp, socket: WebSocket, link: URL, options: WalletAppOptions) {
    this.#app = app;
    this.#socket = socket;
    this.#options = options;
    this.#association = Buffer.from(link.searchParams.get("association")!, "base64url");
    this.#hasVersion = link.searchParams.has("v");
    socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary === (socket.protocol === BASE64)) app.complaints.push("it sends in the other encoding");
      const message = isBinary ? data : Buffer.from(data.toString(), "base64");
      void this.#take(message).catch((error: Error) => {
        app.complaints.push(error.message);
        socket.close();
      });
    });
  }

  async #take(message: Buffer): Promise<void> {
    if (this.#options.pings && !this.#pinged) {
      this.#pinged = true;
      return this.#send(Buffer.alloc(0));
    }
    if (this.#secret === null) return this.#greet(message);
    const { id, jsonrpc, method, params } = JSON.parse(this.#unseal(message));
    if (jsonrpc !== "2.0") this.#app.complaints.push("it speaks no JSON-RPC 2.0");
    const answer = await this.#app.answer(method, params).then(
      (result) => ({ result, ...(this.#options.nullErrors && { error: null }) }),
      ({ code = -3, message: words }: AppRefusal) => ({ error: { code, message: words } }),
    );
    this.#send(this.#seal(JSON.stringify({ jsonrpc: "2.0", id, ...answer })));
  }

  #greet(message: Buffer): void {
    const [point, signature] = [message.subarray(0, 65), message.subarray(65)];
    const [x, y] = [this.#association.subarray(1, 33), this.#association.subarray(33)];
    const jwk = { kty: "EC", crv: "P-256", x: x.toString("base64url"), y: y.toString("base64url") };
    const key = createPublicKey({ key: jwk, format: "jwk" });
    if (!verify("sha256", point, { key, dsaEncoding: "ieee-p1363" }, signature))
      throw new Error("the hello is not signed by the key of the link");
    const own = createECDH("prime256v1");
    own.generateKeys();
    this.#secret = Buffer.from(hkdfSync("sha256", own.computeSecret(point), this.#association, "", 16));
    const properties = this.#options.version === "legacy" || !this.#hasVersion ? "" : this.#seal('{"v":"v1"}');
    this.#send(Buffer.concat([own.getPublicKey(), Buffer.from(properties)]));
  }

  #seal(text: string): Buffer {
    const [sequence, iv] = [Buffer.alloc(4), randomBytes(12)];
    sequence.writeUInt32BE(++this.#sent);
    const cipher = createCipheriv("aes-128-gcm", this.#secret!, iv);
    cipher.setAAD(sequence);
    return Buffer.concat([sequence, iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  }

  #unseal(message: Buffer): string {
    const sequence = message.subarray(0, 4);
    if (sequence.readUInt32BE() !== ++this.#received) throw new Error("a message of the page is out of order");
    const decipher = createDecipheriv("aes-128-gcm", this.#secret!, message.subarray(4, 16));
    decipher.setAAD(sequence).setAuthTag(message.subarray(-16));
    return Buffer.concat([decipher.update(message.subarray(16, -16)), decipher.final()]).toString();
  }

  #send(message: Buffer): void {
    const { tamper = (one) => one } = this.#options;
    const sent = tamper(message, this.#messages++);
    this.#socket.send(this.#socket.protocol === BASE64 ? sent.toString("base64") : sent);
  }
}
