import { callRpc, sendWire } from "@holdfast/devnet/client.ts";
import { signTransaction } from "@holdfast/devnet/signTransaction.ts";
import { type LocalWallet, newWallet } from "@holdfast/devnet/wallets.ts";
import {
  createPaymentInstruction,
  createTokenAccountInstruction,
  findPaymentAddress,
  findTokenAccountAddress,
  SYSTEM_PROGRAM_ID,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from "@holdfast/escrow-client";
import { type AccountMeta, AccountRole, type Address, getAddressEncoder, type Instruction } from "@solana/kit";
import type { ChainSender } from "../../server/chain/port.ts";
import { createSolanaSender } from "../../server/chain/solana/sender.ts";
import { addBusiness } from "../../server/features/businesses/actions.ts";
import { draftCreation, insertIntents } from "../../server/features/intents/createIntent.ts";
import { aNewIntent } from "../../server/features/intents/fixtures.ts";
import type { Intent } from "../../server/features/intents/intent.ts";
import { checkPayments } from "../../server/features/recording/finality/recheck.ts";
import { createKeeper } from "../../server/features/settlement/keeper.ts";
import { createSettleableStep } from "../../server/features/settlement/settleable.ts";
import { readNow } from "../../server/store/clock.ts";
import { sql } from "../../server/store/sql.ts";
import { eventually, HUNG_MS } from "../harness/wait.ts";
import { SteppedService } from "./steppedService.ts";

/** The ways a recipient, a buyer or an issuer makes a payment of their own impossible to settle. */
export const HOPELESS_KINDS = ["no account", "closed account", "frozen account", "account given away", "hook"] as const;
/** `large`: can be settled, but four of them exceed what one transaction may load. */
type Kind = "good" | "large" | (typeof HOPELESS_KINDS)[number];

export interface DuePaymentOnChain {
  readonly business: string;
  readonly address: Address;
  readonly kind: Kind;
  readonly recipient: LocalWallet;
}

export interface KeeperWorldOptions {
  readonly businesses: number;
  readonly payments: number;
  readonly hopeless: number;
  /** Payments with accounts of ten megabytes. With seven of them, four meet in one transaction, more than it may load. */
  readonly large: number;
}

export interface Worker {
  readonly name: string;
  step(): Promise<boolean>;
  /** The parts that a node accepted from it, or that landed without a word, by payment and side. */
  readonly sent: readonly { readonly signature: string; readonly parts: readonly string[] }[];
  /** The reasons for which transactions of several parts failed in simulation. */
  readonly failedTogether: readonly string[];
}

const AMOUNT = 5_000_000n;
const DAY_SECONDS = 86_400;
const SLOT_MS = 400;
const TEN_MEGABYTES = 10 * 1024 * 1024;
const LARGE_RENT = 80_000_000_000n;
const IN_ONE_TRANSACTION = 2;
const never = new AbortController().signal;
const bytesOf = getAddressEncoder();
const writable = (address: Address) => ({ address, role: AccountRole.WRITABLE });
const signer = (address: Address) => ({ address, role: AccountRole.READONLY_SIGNER });
const writableSigner = (address: Address) => ({ address, role: AccountRole.WRITABLE_SIGNER });

const instructionOf =
  (programAddress: Address) =>
  (accounts: readonly AccountMeta[], ...data: number[]): Instruction => ({
    programAddress,
    accounts,
    data: Uint8Array.from(data),
  });

/**
 * A real chain and real books in which `payments` payments of `businesses` businesses are due; `hopeless` of them can never
 * be sent.
 */
export class KeeperWorld {
  readonly stepped: SteppedService;
  readonly payments: DuePaymentOnChain[] = [];
  #clock: NodeJS.Timeout;
  #hookMint: Address | null = null;

  private constructor(stepped: SteppedService) {
    this.stepped = stepped;
    // Slots pass while the workers wait for their nodes.
    this.#clock = setInterval(() => stepped.tick(), 20);
  }

  /** Lets the chain's time pass in real time from now on, so that a refused part is not due again in the same run. */
  slowDown(): void {
    clearInterval(this.#clock);
    this.#clock = setInterval(() => this.stepped.tick(), SLOT_MS);
  }

  static async open(options: KeeperWorldOptions): Promise<KeeperWorld> {
    const world = new KeeperWorld(await SteppedService.open());
    try {
      await world.#fill(options);
      return world;
    } catch (error) {
      await world[Symbol.asyncDispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#clock);
    await this.stepped[Symbol.asyncDispose]();
  }

  get #net() {
    return this.stepped.net;
  }

  async #fill({ businesses, payments, hopeless, large }: KeeperWorldOptions): Promise<void> {
    const { controls, wallets, addresses, asset } = this.#net;
    await controls.faucet(addresses["buyer-1"], "SOL", 1_000_000_000_000n);
    await controls.faucet(addresses["buyer-1"], asset, AMOUNT * BigInt(payments));
    const shops = await Promise.all(
      Array.from({ length: businesses + 1 }, async (_, index) => {
        const recipient = newWallet();
        await controls.faucet(recipient.address, asset, 1n);
        return { id: (await addBusiness(this.stepped.database, { kind: "service" }, `Shop ${index}`)).id, recipient };
      }),
    );
    this.#hookMint = hopeless > 0 ? await this.#makeHookMint(BigInt(payments)) : null;
    const kindOf = (index: number): Kind => {
      if (index < large) return "large";
      // The hopeless payments come first, most of them of few businesses, so they are due for longest.
      return index < large + hopeless ? HOPELESS_KINDS[index % HOPELESS_KINDS.length]! : "good";
    };
    const buyer = wallets["buyer-1"];
    let drafts: Instruction[] = [];
    for (let index = 0; index < payments; index++) {
      const kind = kindOf(index);
      // The large ones have a business to themselves, so that they stand side by side.
      const number = kind === "large" ? businesses : index % (kind === "good" ? businesses : Math.ceil(businesses / 5));
      const shop = shops[number]!;
      const isOwn = kind !== "good" && kind !== "hook";
      const recipient = isOwn ? newWallet() : shop.recipient;
      const mint = kind === "hook" ? this.#hookMint! : asset;
      if (isOwn && kind !== "no account") await controls.faucet(recipient.address, asset, 1n);
      const rentPayer = kind === "large" ? newWallet() : buyer;
      if (kind === "large") await controls.faucet(rentPayer.address, "SOL", LARGE_RENT);
      const intent = await this.#createIntent(shop.id, recipient.address, mint);
      const terms = {
        ...{ programId: this.#net.programId, operator: this.#net.operator, sender: buyer.address },
        ...{ paymentId: BigInt(intent.paymentId), recipient: recipient.address, mint, payer: rentPayer.address },
        ...{ tokenProgram: kind === "hook" ? TOKEN_2022_PROGRAM_ID : TOKEN_PROGRAM_ID, amount: AMOUNT },
        ...{ period: "oneDay" as const, arbiter: addresses.arbiter },
      };
      const create = await createPaymentInstruction(terms);
      // These accounts make the hook the only obstacle.
      const own = { ...terms, payer: buyer.address, owner: recipient.address };
      const first = kind === "hook" ? [await createTokenAccountInstruction(own)] : [];
      this.payments.push({ business: shop.id, address: await findPaymentAddress(terms), kind, recipient });
      if (kind === "good") drafts.push(create);
      else await this.send([...first, create], [buyer, rentPayer]);
      if (kind === "large") await this.#makeLarge(recipient, rentPayer);
      if (drafts.length === IN_ONE_TRANSACTION || index === payments - 1) {
        if (drafts.length > 0) await this.send(drafts, [buyer]);
        drafts = [];
      }
    }
    await eventually("the payments are bound", async () => {
      await this.stepped.catchUp();
      const bound = await this.stepped.database.row<{ count: number }>(
        sql`select count(*)::integer as count from payments`,
      );
      return bound!.count === payments;
    });
    for (const payment of this.payments) await this.#spoil(payment);
    await this.stepped.advance(DAY_SECONDS + 60);
    const announce = createSettleableStep(this.stepped.ctx, this.#onChanged);
    while (await announce(never));
  }

  readonly #onChanged = (addresses: readonly string[]) => checkPayments(this.stepped.ctx, addresses);

  async #createIntent(businessId: string, recipient: Address, asset: Address): Promise<Intent> {
    const { database } = this.stepped;
    const tenant = { businessId, environment: "test" } as const;
    const merchantReference = `order-${this.payments.length}`;
    const terms = aNewIntent({ recipient, amount: String(AMOUNT), asset, merchantReference });
    const settings = { checkoutUrl: "http://localhost", lifetimeMs: DAY_SECONDS * 1_000 };
    const now = await readNow(database, "test");
    const creation = draftCreation(settings, tenant, terms, now, null);
    const [outcome] = await insertIntents(database, [creation]);
    if (!outcome!.made) throw new Error(`${merchantReference} is in use.`);
    return creation.intent;
  }

  /** A transaction that must land. */
  async send(instructions: readonly Instruction[], wallets: readonly [LocalWallet, ...LocalWallet[]]): Promise<string> {
    const { slots } = this.#net.chain.ledger;
    const blockhash = slots.blockhash(slots.at("confirmed"));
    const { wire, signature } = signTransaction({ instructions, wallets, blockhash });
    await sendWire(this.#net.rpcUrl, wire, false);
    return signature;
  }

  /** Accounts as large as can be, in one transaction each: it may allocate twice as much. */
  async #makeLarge(recipient: LocalWallet, rentPayer: LocalWallet): Promise<void> {
    await this.#net.controls.faucet(recipient.address, "SOL", LARGE_RENT);
    const data = new Uint8Array(12);
    new DataView(data.buffer).setUint32(0, 8, true);
    new DataView(data.buffer).setBigUint64(4, BigInt(TEN_MEGABYTES), true);
    const allocate = ({ address }: LocalWallet) => ({
      programAddress: SYSTEM_PROGRAM_ID,
      accounts: [writableSigner(address)],
      data,
    });
    await this.send([allocate(recipient), allocate(rentPayer)], [this.#net.wallets["buyer-2"], recipient, rentPayer]);
  }

  async #spoil({ kind, recipient }: DuePaymentOnChain): Promise<void> {
    if (kind === "good" || kind === "large" || kind === "no account") return;
    if (kind === "hook") return this.#setHook();
    const { faucet } = this.#net.wallets;
    const owner = recipient.address;
    const account = await findTokenAccountAddress({ owner, mint: this.#net.asset, tokenProgram: TOKEN_PROGRAM_ID });
    const token = instructionOf(TOKEN_PROGRAM_ID);
    if (kind === "frozen account")
      await this.send([token([writable(account), writable(this.#net.asset), signer(faucet.address)], 10)], [faucet]);
    else if (kind === "closed account")
      await this.send(
        [
          token([writable(account), writable(this.#net.asset), signer(owner)], 8, 1, 0, 0, 0, 0, 0, 0, 0),
          token([writable(account), writable(owner), signer(owner)], 9),
        ],
        [faucet, recipient],
      );
    else
      await this.send(
        [token([writable(account), signer(owner)], 6, 2, 1, ...bytesOf.encode(newWallet().address))],
        [faucet, recipient],
      );
  }

  /** A mint whose issuer may name a transfer hook at any time. */
  async #makeHookMint(units: bigint): Promise<Address> {
    const { wallets } = this.#net;
    const [mint, issuer] = [newWallet(), wallets["buyer-2"]];
    const space = 166 + 4 + 64;
    const lamports = 10_000_000n;
    const create = new Uint8Array(52);
    const view = new DataView(create.buffer);
    view.setBigUint64(4, lamports, true);
    view.setBigUint64(12, BigInt(space), true);
    create.set(bytesOf.encode(TOKEN_2022_PROGRAM_ID), 20);
    const token = instructionOf(TOKEN_2022_PROGRAM_ID);
    const authority = [...bytesOf.encode(issuer.address)];
    const buyer = wallets["buyer-1"].address;
    const holding = { owner: buyer, mint: mint.address, tokenProgram: TOKEN_2022_PROGRAM_ID };
    const amount = new Uint8Array(8);
    new DataView(amount.buffer).setBigUint64(0, AMOUNT * units, true);
    await this.send(
      [
        {
          programAddress: SYSTEM_PROGRAM_ID,
          accounts: [writableSigner(issuer.address), writableSigner(mint.address)],
          data: create,
        },
        token([writable(mint.address)], 36, 0, ...authority, ...Array<number>(32).fill(0)),
        token([writable(mint.address)], 20, 6, ...authority, 0),
        await createTokenAccountInstruction({ payer: issuer.address, ...holding }),
        token(
          [writable(mint.address), writable(await findTokenAccountAddress(holding)), signer(issuer.address)],
          7,
          ...amount,
        ),
      ],
      [issuer, mint],
    );
    return mint.address;
  }

  #isHooked = false;
  async #setHook(): Promise<void> {
    if (this.#isHooked) return;
    this.#isHooked = true;
    const issuer = this.#net.wallets["buyer-2"];
    const data = Uint8Array.from([36, 1, ...bytesOf.encode(this.#net.programId)]);
    const accounts = [writable(this.#hookMint!), signer(issuer.address)];
    await this.send([{ programAddress: TOKEN_2022_PROGRAM_ID, accounts, data }], [issuer]);
  }

  /** The fee payer's sender, as a worker has it. */
  sender(concurrency: number): Promise<ChainSender> {
    const { rpcUrl, programId, operator, wallets } = this.#net;
    return createSolanaSender({
      ...{ rpcUrls: [rpcUrl], programId, operator, log: () => undefined, feePayerSecret: wallets.keeper.secret },
      ...{ unitPrice: 0n, concurrency, balanceMin: 0n, rentPayers: [], deadlineMs: HUNG_MS },
    });
  }

  /** A worker with a keeper of its own, at this concurrency. */
  async worker(name: string, concurrency: number): Promise<Worker> {
    const sender = await this.sender(concurrency);
    const failedTogether: string[] = [];
    const sent: { signature: string; parts: string[] }[] = [];
    const payOut: typeof sender.payOut = async (parts, options) => {
      const answer = await sender.payOut(parts, options);
      if (answer.kind === "sent" || (answer.kind === "unknown" && (await this.#hasLanded(answer.signature))))
        sent.push({
          signature: answer.signature,
          parts: parts.map(({ payment, side }) => `${payment.address} ${side}`),
        });
      if (answer.kind === "refused" && parts.length > 1) failedTogether.push(answer.reason);
      return answer;
    };
    const step = createKeeper({ ...this.stepped.ctx, log: () => undefined }, { ...sender, payOut }, this.#onChanged);
    return { name, step: () => step(never), sent, failedTogether };
  }

  async #hasLanded(signature: string): Promise<boolean> {
    const { value } = await this.stepped.ctx.chain.reader.fetchSignatureStatuses([signature], { signal: never });
    return value[0] !== null;
  }

  /** Lamports of the fee payer at the newest slot. */
  balance(): bigint {
    const { ledger } = this.#net.chain;
    return ledger.accountAt(this.#net.addresses.keeper, ledger.slots.tip)!.lamports;
  }

  /** The keeper's transactions on chain. */
  async history(): Promise<readonly { readonly signature: string; readonly err: unknown }[]> {
    const all: { signature: string; err: unknown }[] = [];
    for (;;) {
      const form = { limit: 1_000, commitment: "confirmed", before: all.at(-1)?.signature };
      const page = await callRpc<typeof all>(this.#net.rpcUrl, "getSignaturesForAddress", [
        this.#net.addresses.keeper,
        form,
      ]);
      all.push(...page);
      if (page.length < 1_000) return all;
    }
  }

  /** Returns the payment's status on chain. */
  async status(address: Address): Promise<string> {
    const { value } = await this.stepped.ctx.chain.reader.fetchPayments([address], { signal: never });
    return value[0]!.status;
  }
}
