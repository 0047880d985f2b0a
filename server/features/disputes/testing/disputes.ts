import assert from "node:assert/strict";
import { type LocalWallet, newWallet } from "@holdfast/devnet/wallets.ts";
import { BuyerBrowser } from "../../../../tests/harness/buyerBrowser.ts";
import type { ChainBuilder } from "../../../chain/builder.ts";
import type { ChainReader, ChainTransaction } from "../../../chain/port.ts";
import { tagOf } from "../../../domain/ids.ts";
import { type RefusingLanguages, registerBuyerDoor } from "../../../edge/buyer/door.ts";
import { Idempotency } from "../../../edge/http/idempotency.ts";
import { createServer } from "../../../edge/http/server.ts";
import { SessionLocks } from "../../../store/locks.ts";
import { sql } from "../../../store/sql.ts";
import { openTestDatabase } from "../../../store/testing.ts";
import { openAddressBook } from "../../buyerEmails/actions.ts";
import { testContext } from "../../testing.ts";
import { newKeyRing, sealingOf } from "../../webhooks/sending/secret.ts";
import { draftDispute } from "../advance.ts";
import { buyerDisputeRoutes } from "../buyer.ts";
import type { Dispute } from "../dispute.ts";
import { saveDisputes } from "../fragments.ts";
import { registerUploads } from "../uploads/upload.ts";

export const AMOUNT = "24500000";
const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const OPERATOR = "8CvwxZ9Db6XbLD46NZwwmVDZZRDy7eydFcAGkXKh9axa";
const ARBITER = "3FQJcFhM3cWFK1gV2bQqTqkAkYhSTJ5vTn3v4bWv8MbR";

/** A disputed payment of a business. */
export interface TestDispute {
  readonly businessId: string;
  readonly payment: string;
  readonly wallet: LocalWallet;
  readonly disputeId: string;
}

interface CasesOptions {
  readonly checkoutUrl?: string;
  /** The room for uploads; those under way then stay until they make room. */
  readonly uploadBytesMax?: number;
  readonly languages?: RefusingLanguages;
}

/** The buyers' door over a fresh database, with a chain that a test arranges. */
export async function openWorld({ checkoutUrl = "http://localhost", uploadBytesMax, languages }: CasesOptions = {}) {
  const opened = await openTestDatabase("", { connectionsMax: 4 });
  const { database } = opened;
  await database.rows(sql`
    insert into chains (environment, genesis_hash, program_id, operator)
    values ('test', 'genesis', 'CJq7vnAyPBqjiGZfbLWuZR8DnK4pfARW4pXtKRw72Y3c', ${OPERATOR})`);
  await database.rows(sql`
    insert into known_assets (environment, address, is_mint, decimals, token_program, read_at)
    values ('test', ${MINT}, true, 6, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', now())`);
  /** Transactions by their text, as the chain reads them. */
  const signedMemos = new Map<string, { readonly text: string; readonly signer: string }>();
  const readSigned: ChainBuilder["readSigned"] = async (given) => {
    const memo = signedMemos.get(given);
    if (memo === undefined) return { kind: "invalid", reason: "it is cut off" };
    const sole = { signer: memo.signer, acts: [{ kind: "memo", text: memo.text }] } as const;
    return { kind: "signed", signature: given, payments: [], isOnePayment: false, actions: [], sole };
  };
  const landed = new Map<string, ChainTransaction>();
  /** The same as a second node shows them; null: there is one node. */
  const other: { landed: Map<string, ChainTransaction> | null } = { landed: null };
  const builder: Partial<ChainBuilder> = {
    buildMemo: async ({ account, text }) => ({ transaction: `${account} ${text}`, instructions: [] }),
    readSigned,
  };
  const reader: Partial<ChainReader> = {
    get nodes() {
      return other.landed === null ? 1 : 2;
    },
    fetchTransaction: async (signature, { notNode }) => {
      const node = notNode === 0 ? 1 : 0;
      const transaction = (node === 0 ? landed : other.landed!).get(signature);
      const value =
        transaction === undefined ? ({ kind: "not_found" } as const) : ({ kind: "landed", transaction } as const);
      return { value, slot: 1, node };
    },
  };
  const ring = newKeyRing();
  const sealing = sealingOf(ring);
  const ctx = testContext({ database, sealing, checkoutUrl, chain: { builder, reader } });
  const book = openAddressBook(ctx, sealing);
  const routes = buyerDisputeRoutes(ctx, book);
  const { app } = createServer([]);
  const locks = new SessionLocks(database);
  registerBuyerDoor(app, {
    ...{ checkoutUrl, addressHeader: "x-address", idempotency: new Idempotency(database, locks), bodyWaitMs: 5_000 },
    logError: (error) => assert.fail(String(error)),
    routes,
    ...(languages !== undefined && { languages }),
  });
  registerUploads(app, {
    ...{ database, addressHeader: "x-address", bodyMs: uploadBytesMax === undefined ? 3_000 : 30_000 },
    ...(uploadBytesMax !== undefined && { bytesMax: uploadBytesMax }),
    ...(languages !== undefined && { languages }),
    logError: (_, error) => assert.fail(String(error)),
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  let made = 0;

  /** Makes a disputed payment, of a business of its own unless one is given. */
  async function aDispute(
    given: { readonly businessId?: string; readonly wallet?: LocalWallet } = {},
  ): Promise<TestDispute> {
    const number = ++made;
    const suffix = number.toString(16).padStart(32, "0");
    const businessId = given.businessId ?? `biz_${suffix}`;
    const [intentId, payment, wallet] = [
      `pi_test_${tagOf(businessId)}${suffix}`,
      newWallet().address as string,
      given.wallet ?? newWallet(),
    ];
    const recipient = newWallet().address;
    await database.rows(
      sql`insert into businesses (id, name, created_at) values (${businessId}, 'Fernweh Coffee', now()) on conflict do nothing`,
    );
    await database.rows(sql`
      insert into intents (business_id, id, environment, status, holds_reference, recipient, amount, asset, protection_period,
        merchant_reference, metadata, payment_id, payment_address, created_at, expires_at, last_occurred_at, list_position)
      values (${businessId}, ${intentId}, 'test', 'paid', false, ${recipient}, ${AMOUNT}::numeric, ${MINT}, 'sevenDays', ${`order-${number}`},
        '{}', ${number}::bigint, ${payment}, date_trunc('second', now()), date_trunc('second', now()) + interval '1 day', now(), ${number}::bigint)`);
    await database.rows(sql`
      insert into payments (business_id, address, environment, intent_id, generation, recorded_sequence, role, status, sender,
        recipient, amount, asset, protection_period, merchant_reference, created_at, protection_deadline, disputed_at, checked_at,
        observed_slot, finalized, refund_total, amount_refunded, amount_released, arbiter, terms_known, receipt_key)
      values (${businessId}, ${payment}, 'test', ${intentId}, 1, ${number}::bigint, 'primary', 'disputed', ${wallet.address}, ${recipient},
        ${AMOUNT}::numeric, ${MINT}, 'sevenDays', ${`order-${number}`}, date_trunc('second', now()), date_trunc('second', now()) + interval '7 days',
        date_trunc('second', now()), now(), 7, true, 0, 0, 0, ${ARBITER}, false, 'AAECAwQFBgcICQoLDA0ODw')`);
    const now = new Date();
    const openedAt = new Date(Math.floor(now.getTime() / 1_000) * 1_000);
    const disputeId = `dp_test_${tagOf(businessId)}${suffix}`;
    const dispute: Dispute = draftDispute(
      { businessId, environment: "test", payment, intentId, merchantReference: `order-${number}`, amount: AMOUNT },
      { id: disputeId, openedAt, refundTotal: "0" },
      now,
    );
    await database.rows(sql`with nothing as (select 1)${saveDisputes([{ before: null, after: dispute }])} select 1`);
    return { businessId, payment, wallet, disputeId };
  }

  return {
    ...{ database, ring, sealing, book },
    url: app.localUrl,
    databaseUrl: opened.url,
    signedMemos,
    readSigned,
    landed,
    other,
    routes,
    aDispute,
    aBrowser: (headers?: Readonly<Record<string, string>>) => new BuyerBrowser(app.localUrl, headers),
    async [Symbol.asyncDispose]() {
      app.server.closeAllConnections();
      await app.close();
      await locks.close();
      await opened[Symbol.asyncDispose]();
    },
  };
}

export const pagePathOf = ({ payment }: TestDispute): string => `/pay/p/${payment}/case`;

/** Signs the text of a challenge as a wallet does. */
export const signText = (wallet: LocalWallet, text: string): string =>
  Buffer.from(wallet.sign(Buffer.from(text, "utf8"))).toString("base64");

/** Proves the buyer's wallet in a browser by a message. */
export async function prove(browser: BuyerBrowser, one: TestDispute): Promise<void> {
  const asked = await browser.post(`${pagePathOf(one)}/challenge`, { way: "message", act: "open_session" });
  assert.equal(asked.status, 200, JSON.stringify(asked.json));
  const { nonce, text } = asked.json;
  const opened = await browser.post(`${pagePathOf(one)}/session`, { nonce, signature: signText(one.wallet, text) });
  assert.equal(opened.status, 201, JSON.stringify(opened.json));
}
