import type { LocalWallet } from "@holdfast/devnet/wallets.ts";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import {
  AccountRole,
  type Address,
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
import { eventually } from "../harness/wait.ts";

/** The reaction of a person or a wallet to a transaction before it is signed: returns other bytes, waits, or throws to decline. */
export type Handling = (transaction: Uint8Array) => Uint8Array | Promise<Uint8Array>;

export interface TestWalletOptions {
  readonly name?: string;
  /** Default: it only signs. `silently`: it says that it sent, and neither sends nor names what. */
  readonly sends?: boolean | "silently";
  readonly handle?: Handling;
  readonly wallet?: LocalWallet;
  /** The account that the page is given, where it is another than the key that signs: that of a smart wallet. */
  readonly address?: Address;
  /** The networks it serves; default: the local chain. */
  readonly chains?: readonly string[];
}

/** A Wallet Standard wallet in every page of a context, which signs for real in this process. */
export class TestWallet {
  readonly key: LocalWallet;
  /** The transactions that it was asked to sign. */
  readonly asked: Uint8Array[] = [];
  handle: Handling;
  sends: NonNullable<TestWalletOptions["sends"]> = false;
  readonly #service: RunningService | null;
  #account: Address;

  private constructor(
    service: RunningService | null,
    { wallet = newWallet(), handle = (bytes) => bytes }: TestWalletOptions,
  ) {
    this.#service = service;
    this.key = wallet;
    this.handle = handle;
    this.#account = wallet.address;
  }

  /** `service`: the chain on which it is funded, and sends; null: it only signs. */
  static async attach(
    context: BrowserContext,
    service: RunningService | null,
    options: TestWalletOptions = {},
  ): Promise<TestWallet> {
    const { name = "Test wallet", sends = false, address, chains = ["solana:localnet"] } = options;
    const wallet = new TestWallet(service, options);
    wallet.sends = sends;
    const binding = `ask${name.replaceAll(/\W/g, "")}`;
    await context.exposeFunction(binding, (transaction: string) => wallet.#answer(transaction));
    await context.exposeFunction(`${binding}Text`, (text: string) => wallet.#signText(text));
    const account = address ?? wallet.key.address;
    await context.addInitScript(registerInPage(), { name, binding, sends: sends !== false, address: account, chains });
    wallet.#account = account;
    return wallet;
  }

  /** Sends it SOL for fees, and an asset, and waits until nodes show both. */
  fund(asset: string, amount: string, lamports?: number): Promise<void> {
    return fundAccount(this.#service!, this.#account, asset, amount, lamports);
  }

  /** The texts that it was asked to sign. */
  readonly texts: string[] = [];
  /** True once the person has agreed to sign a text. */
  agrees: () => boolean | Promise<boolean> = () => true;

  async #signText(message: string): Promise<string | null> {
    const bytes = Buffer.from(message, "base64");
    this.texts.push(bytes.toString("utf8"));
    return (await this.agrees()) ? Buffer.from(this.key.sign(bytes)).toString("base64") : null;
  }

  async #answer(transaction: string): Promise<Wire> {
    try {
      const unsigned = Buffer.from(transaction, "base64");
      this.asked.push(unsigned);
      const signed = signAs(this.key, await this.handle(unsigned));
      if (this.sends === "silently") return {};
      if (!this.sends) return { bytes: signed.toString("base64") };
      await rpc(this.#service!, "sendTransaction", signed.toString("base64"), {
        encoding: "base64",
        preflightCommitment: "confirmed",
      });
      return { bytes: signed.subarray(1, 65).toString("base64") };
    } catch (error) {
      return { failure: (error as Error).message };
    }
  }
}

/** Sends an account SOL for fees, and an asset, and waits until nodes show both. */
export async function fundAccount(
  service: RunningService,
  account: Address,
  asset: string,
  amount: string,
  lamports = 50_000_000,
): Promise<void> {
  const give = (what: string, much: string) =>
    control(service, "/faucet", { address: account, asset: what, amount: much });
  if (lamports > 0) await give("SOL", String(lamports));
  if (amount !== "0") await give(asset, amount);
  const slotAt = (commitment: string) => rpc<number>(service, "getSlot", { commitment });
  const funded = await slotAt("processed");
  // The checkout reads balances at `confirmed`. Slots may be long, so the next ones pass at once.
  await rpc(service, "devnet_tick", { slots: 2 });
  await eventually("the funds are confirmed", async () => (await slotAt("confirmed")) >= funded);
}

function signAs(key: LocalWallet, transaction: Uint8Array): Buffer {
  const signed = Buffer.from(transaction);
  const end = 1 + 64 * signed[0]!;
  // A sponsor may sign before or after the wallet itself.
  const place = Object.keys(getTransactionDecoder().decode(signed).signatures).indexOf(key.address);
  signed.set(key.sign(signed.subarray(end)), place === -1 ? end - 64 : 1 + 64 * place);
  return signed;
}

/** Runs in the page; as text, since these tests' types know no browser. */
const registerInPage = () =>
  new Function(
    "given",
    `
    const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes));
    const toBytes = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    const account = { address: given.address, publicKey: new Uint8Array(32), chains: given.chains, features: [] };
    const ask = async ({ transaction }) => {
      const { bytes, failure } = await window[given.binding](toBase64(transaction));
      if (failure !== undefined) throw new Error(failure);
      return bytes === undefined ? [] : [toBytes(bytes)];
    };
    const all = (make) => async (...inputs) => (await Promise.all(inputs.map(ask))).flat().map(make);
    const wallet = {
      version: "1.0.0", name: given.name, chains: account.chains, accounts: [],
      icon: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'/%3E",
      features: {
        "standard:connect": { version: "1.0.0", connect: async () => ({ accounts: [account] }) },
        "solana:signMessage": { version: "1.0.0", signMessage: async ({ message }) => {
          const signature = await window[given.binding + "Text"](toBase64(message));
          if (signature === null) throw new Error("The user rejected it.");
          return [{ signedMessage: message, signature: toBytes(signature) }];
        } },
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

/** Adds guard instructions before and after the given ones, as some wallets do. */
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
