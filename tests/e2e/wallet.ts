import type { LocalWallet } from "@holdfast/devnet/wallets.ts";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import {
  AccountRole,
  appendTransactionMessageInstruction,
  compileTransaction,
  decompileTransactionMessage,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Instruction,
  prependTransactionMessageInstruction,
} from "@solana/kit";
import type { BrowserContext } from "playwright-core";
import { control, rpc } from "../harness/chain.ts";
import type { Wire } from "../harness/merchant.ts";
import type { RunningService } from "../harness/service.ts";

/** What a person or a wallet does with a transaction before it is signed: gives other bytes, waits, or throws to decline. */
export type Handling = (transaction: Uint8Array) => Uint8Array | Promise<Uint8Array>;

export interface TestWalletOptions {
  readonly name?: string;
  /** Default: it only signs. */
  readonly sends?: boolean;
  readonly handle?: Handling;
  readonly wallet?: LocalWallet;
}

/** A Wallet Standard wallet in every page of a context, which signs for real in this process. */
export class TestWallet {
  readonly key: LocalWallet;
  /** What it was asked to sign. */
  readonly asked: Uint8Array[] = [];
  handle: Handling;
  readonly #service: RunningService;

  private constructor(service: RunningService, { wallet = newWallet(), handle = (bytes) => bytes }: TestWalletOptions) {
    this.#service = service;
    this.key = wallet;
    this.handle = handle;
  }

  static async attach(
    context: BrowserContext,
    service: RunningService,
    options: TestWalletOptions = {},
  ): Promise<TestWallet> {
    const { name = "Test wallet", sends = false } = options;
    const wallet = new TestWallet(service, options);
    const binding = `ask${name.replaceAll(/\W/g, "")}`;
    await context.exposeFunction(binding, (transaction: string) => wallet.#answer(transaction, sends));
    await context.addInitScript(registerInPage(), { name, binding, sends, address: wallet.key.address });
    return wallet;
  }

  /** Gives it SOL for the network, and an asset. */
  async fund(asset: string, amount: string, lamports = 50_000_000): Promise<void> {
    const { address } = this.key;
    if (lamports > 0) await control(this.#service, "/faucet", { address, asset: "SOL", amount: String(lamports) });
    if (amount !== "0") await control(this.#service, "/faucet", { address, asset, amount });
  }

  async #answer(transaction: string, sends: boolean): Promise<Wire> {
    try {
      const unsigned = Buffer.from(transaction, "base64");
      this.asked.push(unsigned);
      const signed = this.#sign(await this.handle(unsigned));
      if (!sends) return { bytes: signed.toString("base64") };
      await rpc(this.#service, "sendTransaction", signed.toString("base64"), {
        encoding: "base64",
        preflightCommitment: "confirmed",
      });
      return { bytes: signed.subarray(1, 65).toString("base64") };
    } catch (error) {
      return { failure: (error as Error).message };
    }
  }

  #sign(transaction: Uint8Array): Buffer {
    const signed = Buffer.from(transaction);
    signed.set(this.key.sign(signed.subarray(1 + 64 * signed[0]!)), 1);
    return signed;
  }
}

/** Runs in the page; as text, since these tests' types know no browser. */
const registerInPage = () =>
  new Function(
    "given",
    `
    const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes));
    const toBytes = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    const account = { address: given.address, publicKey: new Uint8Array(32), chains: ["solana:localnet"], features: [] };
    const ask = async ({ transaction }) => {
      const { bytes, failure } = await window[given.binding](toBase64(transaction));
      if (failure !== undefined) throw new Error(failure);
      return toBytes(bytes);
    };
    const all = (make) => async (...inputs) => Promise.all(inputs.map(async (input) => make(await ask(input))));
    const wallet = {
      version: "1.0.0", name: given.name, chains: account.chains, accounts: [],
      icon: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'/%3E",
      features: {
        "standard:connect": { version: "1.0.0", connect: async () => ({ accounts: [account] }) },
        ...(given.sends
          ? { "solana:signAndSendTransaction": { signAndSendTransaction: all((signature) => ({ signature })) } }
          : { "solana:signTransaction": { signTransaction: all((signedTransaction) => ({ signedTransaction })) } }),
      },
    };
    const register = ({ register }) => register(wallet);
    addEventListener("wallet-standard:app-ready", ({ detail }) => register(detail));
    dispatchEvent(new CustomEvent("wallet-standard:register-wallet", { detail: register }));
    `,
  ) as (given: unknown) => void;

/** What wallets do on their own: guards before and after what they were given. */
export const insertGuards = (transaction: Uint8Array): Uint8Array => {
  const { messageBytes } = getTransactionDecoder().decode(transaction);
  const message = decompileTransactionMessage(getCompiledTransactionMessageDecoder().decode(messageBytes));
  const payer = message.feePayer.address;
  const guard: Instruction = {
    programAddress: SYSTEM,
    accounts: [
      { address: payer, role: AccountRole.WRITABLE_SIGNER },
      { address: payer, role: AccountRole.WRITABLE },
    ],
    data: Uint8Array.of(2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
  };
  const guarded = appendTransactionMessageInstruction(guard, prependTransactionMessageInstruction(guard, message));
  return Buffer.from(getBase64EncodedWireTransaction(compileTransaction(guarded as never)), "base64");
};
const SYSTEM = "11111111111111111111111111111111" as Instruction["programAddress"];
