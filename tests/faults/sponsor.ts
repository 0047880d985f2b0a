import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { sendWire } from "@holdfast/devnet/client.ts";
import { signWith } from "@holdfast/devnet/testing/wireTransaction.ts";
import { type LocalWallet, newWallet } from "@holdfast/devnet/wallets.ts";
import type { Address } from "@solana/kit";
import type { Database } from "../../server/store/database.ts";
import { sql } from "../../server/store/sql.ts";
import { askCheckout } from "../harness/buyer.ts";
import { act, advance, control, pay, rpc } from "../harness/chain.ts";
import { type Merchant, newMerchant, untilTaken, type Wire } from "../harness/merchant.ts";
import { localChain, type RunningService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";
import { Random } from "./random.ts";
import type { Figures } from "./scenarios.ts";
import { startOpenService } from "./serviceDatabase.ts";
import { attacksOf, LIGHTHOUSE } from "./sponsorAttacks.ts";

const AMOUNT = "2500000";
const TOKENS = "100000000";
const THIRTY_DAYS_SECONDS = 31 * 86_400;
const NINETY_DAYS_SECONDS = 91 * 86_400;
/**
 * The slots are long, so that a blockhash outlasts the attacks on one offer, even on a busy machine. A program that passes
 * on its accounts and data stands at the guard program's address, as if somebody had replaced the guard.
 */
export const SPONSOR_ENV = {
  CLIENT_ADDRESS_HEADER: "X-Forwarded-For",
  ...localChain({
    slotMs: 500,
    programs: [`${LIGHTHOUSE}=${fileURLToPath(import.meta.resolve("@holdfast/program/tests/smart_wallet.so"))}`],
  }),
};

interface SponsorOptions {
  readonly seed: number;
  /** The least number of attempts. */
  readonly attempts: number;
  /** Payments of two wallets of one person, released at once. */
  readonly loops: number;
}

type World = Pick<RunningService, "rpcUrl" | "checkoutUrl" | "controlUrl" | "asset" | "recipient" | "wallets"> &
  RunningService & { readonly database: Database };

/** Asks again while a busy machine keeps the service from its chain or its database: that says nothing of the sponsor. */
export const askSurely = (...request: Parameters<typeof askCheckout>) => untilTaken(() => askCheckout(...request));

/** The long run, on a service of its own. */
export async function runSponsor(options: SponsorOptions): Promise<Figures> {
  const service = await startOpenService({ env: SPONSOR_ENV });
  try {
    const before = await balanceOf(service);
    const figures = await attackSponsor(service, options);
    await assertBalanced(service);
    return { figures: { ...figures, ...(await assertReturned(service, before)) }, report: null };
  } finally {
    await service.remove();
  }
}

const balanceOf = async (service: RunningService): Promise<bigint> => {
  const { value } = await rpc<{ value: number }>(service, "getBalance", service.wallets.sponsor.address, {
    commitment: "confirmed",
  });
  return BigInt(value);
};

/**
 * A thief with a link, wallets and a shop tries to get the sponsor's signature for forbidden transactions, and to gain by
 * allowed ones. No attempt gets a signature beyond one for each offer.
 */
export async function attackSponsor(service: World, options: SponsorOptions): Promise<Figures["figures"]> {
  const random = new Random(options.seed);
  const shop = await newMerchant(service);
  await control(service, "/faucet", { address: service.recipient, asset: service.asset, amount: "1" });
  const counts = { attempts: 0, refused: 0, signed: 0, replayed: 0, failedOnChain: 0, loops: 0 };
  let round = 0;
  while (counts.attempts < options.attempts) {
    const thief = await aThief(service, shop);
    const [intent, other] = [await shop.create({ amount: AMOUNT }), await shop.create({ amount: AMOUNT })];
    const [built, foreign] = [await offerOf(service, intent, thief), await offerOf(service, other, thief)];
    const sponsor = service.wallets.sponsor.address as Address;
    const attacks = attacksOf({ built: built.transaction, foreign: foreign.transaction, thief, sponsor });
    const offset = random.whole(0, attacks.length - 1);
    for (let index = 0; index < attacks.length && counts.attempts < options.attempts; index++) {
      const { name, transaction } = attacks[(index + offset) % attacks.length]!;
      const answer = await askSurely(service, intent, "submit", { transaction });
      assert.ok([400, 409, 422].includes(answer.status), `${name}: ${answer.status} ${answer.text}`);
      counts.attempts++;
      counts.refused++;
    }
    const outcome = OUTCOMES[round++ % OUTCOMES.length];
    if (outcome === "paid") {
      // The offer is built again: on a busy machine, a blockhash may not outlast all those attempts.
      const { transaction } = signWith((await offerOf(service, intent, thief)).transaction, thief);
      const first = await askSurely(service, intent, "submit", { transaction });
      assert.equal(first.status, 202, first.text);
      // The same bytes again are the same transaction; others of the same buyer get no second signature.
      for (const [again, statuses] of [
        [transaction, [202, 409]],
        [attacks[0]!.transaction, [400, 409, 422]],
      ] as const) {
        const answer = await askSurely(service, intent, "submit", { transaction: again });
        assert.ok((statuses as readonly number[]).includes(answer.status), answer.text);
        if (answer.status === 202) assert.equal(answer.json.signature, first.json.signature);
        counts.attempts++;
        counts.replayed++;
      }
      counts.signed++;
    } else if (outcome === "failed") {
      counts.failedOnChain += await failOnChain(service, shop, other, thief);
      counts.attempts++;
    }
  }
  for (let loop = 1; loop <= options.loops; loop++) {
    await dealWithOneself(service, shop);
    counts.loops++;
    counts.attempts++;
  }
  await hitLimits(service, shop);
  return counts;
}

/** The ways an offer ends. */
const OUTCOMES = ["paid", "failed", "abandoned"] as const;

/** A buyer with tokens and no SOL, once nodes show it. */
async function aThief(service: RunningService, shop: Merchant): Promise<LocalWallet> {
  const thief = newWallet();
  const probe = await shop.create({ amount: AMOUNT });
  await control(service, "/faucet", { address: thief.address, asset: service.asset, amount: TOKENS });
  await eventually("the tokens are confirmed", async () => {
    const answer = await askSurely(service, probe, "build", { account: thief.address });
    return answer.json.error?.code === "insufficient_sol";
  });
  return thief;
}

async function offerOf(service: RunningService, intent: Wire, thief: LocalWallet): Promise<Wire> {
  const answer = await askSurely(service, intent, "build", { account: thief.address, sponsored: true });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.json.sponsored, true);
  return answer.json;
}

/** Has the sponsor sign first, moves the tokens away, and still lands the transaction: the sponsor pays the fee for nothing. */
async function failOnChain(service: World, shop: Merchant, intent: Wire, thief: LocalWallet): Promise<number> {
  const answer = await askSurely(service, intent, "request", { account: thief.address }, []);
  assert.equal(answer.status, 200, answer.text);
  const { transaction, signature } = signWith(answer.json.transaction, thief);
  const all = await service.database.rows(sql`select id from sponsorships where signature = ${signature}`);
  assert.equal(all.length, 1, "the signature is in the books before it is given");
  await control(service, "/faucet", { address: thief.address, asset: "SOL", amount: "20000000" });
  await pay(service, await shop.create({ amount: TOKENS }), { buyer: thief });
  await sendWire(service.rpcUrl, Buffer.from(transaction, "base64"), true);
  await eventually("it failed on chain", async () => {
    const { value } = await rpc<{ value: ({ err: unknown } | null)[] }>(service, "getSignatureStatuses", [signature]);
    return value[0] !== null && value[0]?.err !== null;
  });
  return 1;
}

/**
 * Buyer and shop are one person: the sponsor pays, the payment is released at once, and the vault's rent comes back to the
 * sponsor.
 */
async function dealWithOneself(service: World, shop: Merchant): Promise<void> {
  const [intent, thief] = [await shop.create({ amount: AMOUNT }), await aThief(service, shop)];
  const built = await offerOf(service, intent, thief);
  const answer = await askSurely(service, intent, "submit", {
    transaction: signWith(built.transaction, thief).transaction,
  });
  assert.equal(answer.status, 202, answer.text);
  await eventually("it is paid", async () => (await shop.intent(intent.id)).status === "paid");
  await control(service, "/faucet", { address: thief.address, asset: "SOL", amount: "5000000" });
  await act(service, thief, "release", built.payment);
}

/** Every limit refuses, and the buyer gets the answer of a deployment without a sponsor. */
async function hitLimits(service: World, shop: Merchant): Promise<void> {
  const { database } = service;
  const thief = await aThief(service, shop);
  // A new intent each time: the checkout gives requests within two seconds the same answer.
  const ask = async (intent?: Wire) => {
    const { id } = intent ?? (await shop.create({ amount: AMOUNT }));
    return (await askSurely(service, { id }, "build", { account: thief.address, sponsored: true })).status;
  };
  const fill = (intent: Wire, sender: string, count: number) =>
    database.rows(sql`
      insert into sponsorships (business_id, intent_id, id, environment, status, sponsor, sender, payment, built, fee_lamports,
        record_lamports, vault_lamports, tombstone_lamports, created_at, until, due_at)
      select i.business_id, i.id, 'fill ' || n || ${sender}::text, 'test', 'offered', 'nobody', ${sender}::text, 'none', 'AA==',
        0, 0, 0, 0, now(), now() + interval '1 hour', now() + interval '1 hour'
      from intents i, generate_series(1, ${count}::integer) n where i.id = ${intent.id}`);
  const full = await shop.create({ amount: AMOUNT });
  await fill(full, "somebody else", 3);
  assert.equal(await ask(full), 422, "the limit of an intent");
  // Moves to the next hour and day, so that neither begins meanwhile.
  await database.rows(sql`
    update sponsor_budgets set hour = date_trunc('hour', now(), 'UTC') + interval '1 hour', day = date_trunc('day', now(), 'UTC') + interval '1 day'
    where environment = 'test'`);
  const add = (hour: bigint, day: bigint, bound: bigint) =>
    database.rows(sql`
      update sponsor_budgets set hour_lamports = hour_lamports + ${hour}::bigint, day_lamports = day_lamports + ${day}::bigint,
        bound_lamports = bound_lamports + ${bound}::bigint where environment = 'test'`);
  for (const [name, hour, day, bound] of [
    ["hour", 10n * SOL, 0n, 0n],
    ["day", 0n, 50n * SOL, 0n],
    ["bound", 0n, 0n, 90n * SOL],
  ] as const) {
    await add(hour, day, bound);
    assert.equal(await ask(), 422, `the limit: ${name}`);
    await add(-hour, -day, -bound);
  }
  assert.equal(await ask(), 200, "below all limits");
  await fill(await shop.create({ amount: AMOUNT }), thief.address, 5);
  assert.equal(await ask(), 422, "the limit of a sender");
  await database.rows(sql`delete from sponsorships where sponsor = 'nobody'`);
}

const SOL = 1_000_000_000n;

/** The SOL that the local chain gives the sponsor at its start. */
const START_LAMPORTS = 100n * SOL;

/** Makes all open sponsorships due now, until none has one of the statuses. */
const settle = (database: Database, what: string, statuses: readonly string[]) =>
  eventually(what, async () => {
    await database.rows(
      sql`update sponsorships set until = least(until, now()), due_at = now() where ended_at is null`,
    );
    return (
      (await database.row(sql`select id from sponsorships where status = any(${statuses}::text[]) limit 1`)) === null
    );
  });

/** Compares the sponsor's balance with the books: every lamport that left it is lost as counted, or bound as counted. */
export async function assertBalanced(service: World): Promise<void> {
  const { database } = service;
  await settle(database, "no offer and no signature is open", ["offered", "signed"]);
  await eventually("balance and books agree", async () => {
    const row = (await database.row<{ out: string }>(
      sql`select bound_lamports + lost_lamports as out from sponsor_budgets where environment = 'test'`,
    ))!;
    await database.rows(sql`update sponsorships set due_at = now() where status = 'landed'`);
    return START_LAMPORTS - (await balanceOf(service)) === BigInt(row.out);
  });
}

/** Waits until all rents came back: then the sponsor has lost the fees and tombstones that are counted, and nothing else. */
async function assertReturned(service: World, before: bigint): Promise<Figures["figures"]> {
  const { database } = service;
  await advance(service, THIRTY_DAYS_SECONDS);
  await eventually(
    "all that was sponsored is paid out",
    async () =>
      (await database.row(sql`
        select s.id from sponsorships s left join payments p on p.business_id = s.business_id and p.address = s.payment
        where s.status = 'landed' and coalesce(p.status not in ('released', 'refunded'), true) limit 1`)) === null,
  );
  await advance(service, NINETY_DAYS_SECONDS);
  await settle(database, "all rents came back", ["landed"]);
  const sums = (await database.row<Record<string, string>>(sql`
    select b.bound_lamports as bound, b.lost_lamports as lost,
      (select coalesce(sum(fee_lamports), 0) from sponsorships where status in ('failed', 'returned')) as fees,
      (select coalesce(sum(tombstone_lamports), 0) from sponsorships where status = 'returned') as tombstones,
      (select count(*) from sponsorships where status = 'returned') as landed,
      (select count(*) from sponsorships where status = 'failed') as failed
    from sponsor_budgets b where b.environment = 'test'`))!;
  const lost = before - (await balanceOf(service));
  assert.equal(lost, BigInt(sums.lost!), "the sponsor lost what the books say");
  assert.equal(lost, BigInt(sums.fees!) + BigInt(sums.tombstones!), "fees and tombstones, and nothing else");
  assert.equal(sums.bound, "0");
  return { ...sums, lostOfSponsor: String(lost) };
}
