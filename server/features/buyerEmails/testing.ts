import type { AddressInfo } from "node:net";
import { emailFinders } from "../../app/emails.ts";
import { openLanguages } from "../../app/languages/languages.ts";
import type { ChainPayment } from "../../chain/port.ts";
import { addressSealing } from "../../domain/buyerAddress.ts";
import type { Tenant } from "../../domain/callers.ts";
import { PROTECTION_SECONDS, type ProtectionPeriod } from "../../domain/terms.ts";
import { createServer } from "../../edge/http/server.ts";
import type { Database } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { openTestDatabase } from "../../store/testing.ts";
import type { BuyerContext } from "../checkout/context.ts";
import { registerEmailPages } from "../checkout/emails/buyer.ts";
import { ReadLimit } from "../checkout/readLimit.ts";
import type { ChainContext } from "../context.ts";
import { createBuyerNewsStep } from "../disputes/address/gather.ts";
import { createEmailStep, type Message } from "../emails/send.ts";
import type { Intent } from "../intents/intent.ts";
import { recordAccounts } from "../recording/decide/record.ts";
import { anObservedPayment } from "../recording/fixtures.ts";
import { insertIntent, someAddress } from "../staff/testing/objects.ts";
import { testContext } from "../testing.ts";
import { newKeyRing, sealingOf } from "../webhooks/sending/secret.ts";
import { openMailboxes } from "./actions.ts";
import { createBuyerEmailStep } from "./gather.ts";

const CHECKOUT_URL = "https://pay.shop.example";

/** An intent with its payment, as the chain shows it next. */
export interface TestPayment {
  readonly intent: Intent;
  readonly address: string;
  /** Records a later state of the payment. */
  readonly move: (changes: Partial<ChainPayment>) => Promise<void>;
}

/** The chain counts whole seconds. */
const wholeSecond = (time: Date): Date => new Date(Math.floor(time.getTime() / 1_000) * 1_000);

/** Pays an intent. */
export async function pay(database: Database, intent: Intent, paidAt = new Date()): Promise<TestPayment> {
  const { paymentId, recipient, amount, asset, protectionPeriod } = intent;
  const createdAt = wholeSecond(paidAt);
  const made = {
    ...{ address: someAddress(), sender: someAddress(), arbiter: someAddress(), paymentId, recipient, amount, asset },
    ...{ protectionPeriod, status: "protected" as const, createdAt },
    protectionDeadline: new Date(createdAt.getTime() + PROTECTION_SECONDS[protectionPeriod] * 1_000),
  };
  const ctx = testContext({ database, checkoutUrl: CHECKOUT_URL, log: (line) => console.error(line) });
  let slot = 100;
  const move = async (given: Partial<ChainPayment>) => {
    const changes = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value instanceof Date ? wholeSecond(value) : value]),
    );
    const observed = anObservedPayment(
      { ...made, ...changes },
      { slot: slot++, signature: made.address, finalized: true },
    );
    await recordAccounts(ctx, intent.environment, [observed]);
  };
  await move({});
  return { intent, address: made.address, move };
}

/** Buyers of several shops with their mailboxes, and the pages for them. */
export async function openBuyers() {
  const opened = await openTestDatabase("", { connectionsMax: 4 });
  const { database } = opened;
  await database.rows(sql`
    insert into chains (environment, genesis_hash, program_id, operator) values ('test', 'genesis', 'program', 'operator')`);
  const sealing = sealingOf(newKeyRing());
  const languages = openLanguages(["de", "ar"]);
  const emails: Message[] = [];
  const mailServer = { answer: 250 };
  const log = (line: string, error?: unknown) => console.error(line, error ?? "");
  const limit = new ReadLimit("x-address");
  const urls = { dashboardUrl: "https://dash.shop.example", checkoutUrl: CHECKOUT_URL };
  const ctx = testContext<BuyerContext & ChainContext>({
    ...{ database, sealing, log, limit, languages, bodyWaitMs: 5_000 },
    ...urls,
  });
  const gather = createBuyerEmailStep(ctx, sealing);
  const gatherNews = createBuyerNewsStep(ctx);
  const mailer = async (message: Message) => {
    if (mailServer.answer < 400) emails.push(message);
    return mailServer.answer;
  };
  const send = createEmailStep(ctx, mailer, emailFinders(ctx, languages));
  const { app } = createServer([]);
  registerEmailPages(app, ctx, openMailboxes(ctx, sealing));
  await app.listen({ host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  let shops = 0;
  return {
    ...{ database, sealing, mailServer, gather },
    aShop: async (name: string): Promise<Tenant> => {
      const businessId = `biz_${(++shops).toString(16).padStart(32, "0")}`;
      await database.rows(sql`insert into businesses (id, name, created_at) values (${businessId}, ${name}, now())`);
      return { businessId, environment: "test" };
    },
    /** An intent whose merchant named the address. */
    anOrder: async (
      tenant: Tenant,
      email: string | null,
      protectionPeriod: ProtectionPeriod = "sevenDays",
      locale: string | null = null,
    ) => {
      const sealedEmail = email === null ? null : addressSealing(sealing).seal(tenant.businessId, email);
      return (await insertIntent(database, tenant, { sealedEmail, protectionPeriod, locale })).intent;
    },
    /** Sends what is due, and returns it as "address: subject". */
    deliver: async (): Promise<string[]> => {
      emails.length = 0;
      await database.rows(
        sql`with now as (update emails set due_at = now()) update buyer_addresses set news_at = now()`,
      );
      // Few emails wait at once, so both take turns.
      while ((await gather()) || (await gatherNews()) || (await send()));
      return emails.map(({ to, subject }) => `${to}: ${subject}`);
    },
    /** The last emails that were delivered. */
    emails: emails as readonly Message[],
    get: async (path: string, headers: Readonly<Record<string, string>> = {}) =>
      (await fetch(`${url}${path}`, { headers })).text(),
    /** Posts a form, of a page of ours unless `site` says otherwise, from a network of its own if an address is named. */
    post: async (path: string, form: Readonly<Record<string, string>>, site = "same-origin", address = "192.0.2.1") => {
      const headers = { "sec-fetch-site": site, "x-address": address };
      const answer = await fetch(`${url}${path}`, { method: "POST", headers, body: new URLSearchParams(form) });
      return { status: answer.status, text: await answer.text() };
    },
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await opened[Symbol.asyncDispose]();
    },
  };
}

/** The key of the page that an email leads to. */
export const keyIn = ({ text }: Message): string => /\/pay\/emails\?key=([\w-]{64})\n/.exec(text)![1]!;
