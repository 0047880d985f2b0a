import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { signWith } from "@holdfast/devnet/testing/wireTransaction.ts";
import { draftLink } from "../../../server/features/links/link.ts";
import { insertLink } from "../../../server/features/links/queries.ts";
import { notifyUser } from "../../../server/features/staff/fragments.ts";
import { sql } from "../../../server/store/sql.ts";
import { newBuyer, rpc } from "../../harness/chain.ts";
import { type Answer, exchange } from "../../harness/http.ts";
import { someTerms, type Wire } from "../../harness/merchant.ts";
import { eventually } from "../../harness/wait.ts";
import type { Random } from "../random.ts";
import { untilAnswered } from "../traffic.ts";
import { findLostNews, listQueuedNews, listRequiredNews } from "./news.ts";
import { OWNER, type World } from "./world.ts";

const PAUSE_MS = 150;
const FILE_BYTES_MAX = 60_000;
const DOINGS = ["word", "word", "file", "refund", "link", "checkout", "email", "read"] as const;
type Doing = (typeof DOINGS)[number];
/** Pages and lists that are read whatever happens. */
const READ = ["/events?limit=20", "/payments?limit=20", "/payment-intents?limit=20", "/disputes?limit=20", "/chain"];
const FROM_PAGE = [["Sec-Fetch-Site", "same-origin"]] as const;

interface Judged {
  readonly lost: string[];
  readonly doubled: string[];
  readonly emails: number;
  /** Emails that came again, as a crash may have it. */
  readonly emailsAgain: number;
}

/** Members, buyers and arbiters beside the buyers of {@link Traffic}; they remember what was acknowledged. */
export class People {
  readonly counts: Record<Doing, number> = { word: 0, file: 0, refund: 0, link: 0, checkout: 0, email: 0, read: 0 };
  retries = 0;
  /** The work that they wait for. */
  doing: Doing | null = null;
  readonly #world: World;
  readonly #random: Random;
  readonly #words: string[] = [];
  readonly #files: { readonly dispute: string; readonly id: string; readonly sha256: string }[] = [];
  readonly #mailboxes: string[] = [];
  #isGoing = true;
  #number = 0;
  #link: string | null = null;

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  finish(): void {
    this.#isGoing = false;
  }

  async run(): Promise<void> {
    while (this.#isGoing) {
      const doing = this.#random.pick(DOINGS);
      this.doing = doing;
      if (await this.#do(doing)) this.counts[doing]++;
      this.doing = null;
      await sleep(PAUSE_MS);
    }
  }

  /** All that was acknowledged and is not there, or is there twice. */
  async judge(): Promise<Judged> {
    const { service, shop } = this.#world;
    const { database } = service;
    const [lost, doubled]: [string[], string[]] = [[], []];
    const kept = await database.rows<{ text: string; times: number }>(
      sql`select text, count(*)::integer as times from dispute_statements where text is not null group by text`,
    );
    const timesOf = new Map(kept.map(({ text, times }) => [text, times]));
    for (const text of this.#words) if (!timesOf.has(text)) lost.push(`the statement "${text}"`);
    for (const { text, times } of kept) if (times > 1) doubled.push(`the statement "${text}": ${times} times`);
    for (const { dispute, id, sha256 } of this.#files) {
      const answer = await shop.get(`/disputes/${dispute}/files/${id}`);
      if (answer.status !== 200 || hashOf(answer.text) !== sha256) lost.push(`the file ${id}: ${answer.status}`);
    }
    const told = await this.#judgeEmails();
    return { lost: [...lost, ...told.lost], doubled, emails: told.emails, emailsAgain: told.again };
  }

  /** The emails that each mailbox lacks, and the news that the owner does; those that came again. */
  async #judgeEmails(): Promise<{ readonly lost: string[]; readonly emails: number; readonly again: number }> {
    const { service, shop, mail } = this.#world;
    const { database } = service;
    await eventually("every email is sent", async () => {
      await database.rows(sql`update emails set due_at = now() where lease_token is null and due_at > now()`);
      await database.rows(sql`update dispute_emails set next_at = now() where next_at > now()`);
      return !(await database.has(sql`
        select true from emails union all
        select true from dispute_notices where side = 'merchant' and due_at is null limit 1`));
    });
    const byMailbox = Map.groupBy(mail.taken, (email) => /<(.*?)>/.exec(email)![1]!);
    const lost = this.#mailboxes.filter((one) => !byMailbox.has(one)).map((one) => `the email to ${one}`);
    const news = findLostNews(
      await listRequiredNews(database, shop.business),
      await listQueuedNews(database, OWNER),
      byMailbox.get(OWNER) ?? [],
    );
    const again = this.#mailboxes.reduce((sum, one) => sum + Math.max(0, (byMailbox.get(one)?.length ?? 0) - 1), 0);
    return { lost: [...lost, ...news], emails: mail.taken.length, again };
  }

  #ask = (method: string, path: string, body?: unknown, key?: string): Promise<Answer> =>
    untilAnswered(
      () => this.#world.shop.call(method, path, body, key === undefined ? [] : [["Idempotency-Key", key]]),
      () => true,
      () => void this.retries++,
    );

  /** Sends once, as a person does; null where no answer came. */
  #once = async (work: () => Promise<Answer>): Promise<Answer | null> => {
    const answer = await work().catch(() => null);
    assert.notEqual(answer?.status, 500, `a bug of the service: ${answer?.request} ${answer?.text}`);
    return answer;
  };

  async #do(doing: Doing): Promise<boolean> {
    const number = ++this.#number;
    switch (doing) {
      case "word":
        return this.#say(`Word ${number}`);
      case "file":
        return this.#send(number);
      case "refund":
        return this.#refund(`refund-${number}`);
      case "link":
        return this.#start();
      case "checkout":
        return this.#checkOut();
      case "email":
        return this.#write(`kim${number}@shop.example`);
      case "read":
        return (await this.#ask("GET", this.#random.pick(READ as [string]))).status === 200;
    }
  }

  async #pickFrom(path: string): Promise<Wire | null> {
    const { json } = await this.#ask("GET", path);
    return json.data.length === 0 ? null : this.#random.pick(json.data as [Wire]);
  }

  async #say(text: string): Promise<boolean> {
    const dispute = await this.#pickFrom("/disputes?status=talking&limit=20");
    if (dispute === null) return false;
    const { status } = await this.#ask("POST", `/disputes/${dispute.id}/statements`, { text }, text);
    if (status === 201) this.#words.push(text);
    return status === 201;
  }

  async #send(number: number): Promise<boolean> {
    const dispute = await this.#pickFrom("/disputes?status=talking&limit=20");
    if (dispute === null) return false;
    const bytes = `File ${number} `.repeat(this.#random.whole(1, FILE_BYTES_MAX / 10));
    const sha256 = hashOf(bytes);
    const announced = { name: `${number}.txt`, size: bytes.length, sha256 };
    const { status, json } = await this.#ask("POST", `/disputes/${dispute.id}/files`, announced, `file-${number}`);
    if (status !== 201) return false;
    const { pathname, search } = new URL(json.uploadUrl);
    const put = await this.#once(() =>
      exchange("PUT", `${this.#world.service.checkoutUrl}${pathname}${search}`, { body: bytes }),
    );
    if (put?.status !== 201) return false;
    this.#files.push({ dispute: dispute.id, id: put.json.id, sha256 });
    return true;
  }

  /** Gives a little more back than before; the books and the vaults are compared at the end. */
  async #refund(key: string): Promise<boolean> {
    const payment = await this.#pickFrom("/payments?status=protected&limit=20");
    if (payment === null) return false;
    const total = String(BigInt(payment.refundTotal ?? payment.amountRefunded) + 1_000n);
    const { status, json } = await this.#ask("POST", `/payments/${payment.id}/refund`, { total }, key);
    if (status !== 200) return false;
    const { transaction } = signWith(json.transaction, this.#world.service.wallets.recipient);
    const form = { encoding: "base64", preflightCommitment: "confirmed" };
    return rpc(this.#world.service, "sendTransaction", transaction, form).then(
      () => true,
      () => false,
    );
  }

  /** A stranger opens a payment link and gets an intent. */
  async #start(): Promise<boolean> {
    this.#link ??= await this.#addLink();
    if (this.#link === null) return false;
    const headers = [["Content-Type", "application/x-www-form-urlencoded"], ...FROM_PAGE, this.#network()] as const;
    const url = `${this.#world.service.checkoutUrl}/pay/l/${this.#link}`;
    return (await this.#once(() => exchange("POST", url, { headers, body: "" })))?.status === 303;
  }

  #network = (): readonly [string, string] => {
    const network = ++this.#number;
    return ["X-Forwarded-For", `10.${network >> 16}.${(network >> 8) & 255}.${network & 255}`];
  };

  async #addLink(): Promise<string | null> {
    const { service, shop } = this.#world;
    const terms = { amount: "2500000", asset: service.asset, protectionPeriod: "oneHour" } as const;
    const none = { locale: null, price: null, description: null, seatsMax: null, expiresAt: null };
    const given = { ...terms, ...none, title: "Workshop", recipient: service.recipient };
    const link = draftLink({ businessId: shop.business, environment: "test" }, given, new Date());
    const isThere = await insertLink(service.database, link).catch(() => false);
    return isThere ? link.id : null;
  }

  /** Pays by the checkout: the page, a transaction that the service builds, the wallet's signature, and sending it. */
  async #checkOut(): Promise<boolean> {
    const { service } = this.#world;
    const buyer = await newBuyer(service).catch(() => null);
    const created = await this.#once(() => this.#world.shop.call("POST", "/payment-intents", someTerms(service)));
    if (buyer === null || created?.status !== 201) return false;
    const base = () => `${service.checkoutUrl}/pay/i/${created.json.id}`;
    await this.#once(() => exchange("GET", base()));
    const post = (path: string, body: object) =>
      this.#once(() =>
        exchange("POST", `${base()}/${path}`, {
          headers: [["Content-Type", "application/json"], ...FROM_PAGE, this.#network()],
          body: JSON.stringify(body),
        }),
      );
    const built = await post("build", { account: buyer.address });
    if (built?.status !== 200) return false;
    return (await post("submit", { transaction: signWith(built.json.transaction, buyer).transaction }))?.status === 202;
  }

  /** An email to a member, and news to the owner as a quarter of an hour after the last. */
  async #write(mailbox: string): Promise<boolean> {
    const { database } = this.#world.service;
    // In an older build the table has another name.
    await database.rows(sql`update dispute_emails set next_at = now() where next_at > now()`).catch(() => undefined);
    const reader = { id: mailbox, email: mailbox };
    const written = await database
      .transaction((db) => notifyUser(db, reader, { notice: "signed_in" }, { address: "all" }))
      .then(
        () => true,
        () => false,
      );
    if (written) this.#mailboxes.push(mailbox);
    return written;
  }
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
