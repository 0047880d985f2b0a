import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import type { PaymentRefusal } from "../../../chain/acts.ts";
import type { BuiltPayment, ChainBuilder, PaymentCommand } from "../../../chain/builder.ts";
import { NOTHING_CONFIRMED } from "../../../chain/chain.ts";
import { ChainUnavailableError } from "../../../chain/port.ts";
import { parseJsonObject } from "../../../domain/json.ts";
import { sql } from "../../../store/sql.ts";
import { testContext } from "../../testing.ts";
import type { BuyerContext } from "../context.ts";
import { createBuilds } from "./build.ts";
import { openWithIntents } from "./fixtures.ts";
import { findTermsByHash } from "./fragments.ts";
import { findInFlight } from "./queries.ts";
import { refusedByScreening } from "./refusals.ts";
import { BUILD_PAYMENT } from "./schema.ts";
import { withinClockMinute } from "./testing.ts";

const BUYER = "DFScJcCVGUqL6VfvXntAZyrhLszXTqDryfrqM6Gdw6Cx";
const ARBITER = "6dNVxkyfuyCqe5xCiLGPUpNaCNTsV7wJ3wTJkHFUZ6Uu";
const TEXT = '{"v":1}';
const HASH = createHash("sha256").update(TEXT).digest("hex");
const FEE = { network: 1n, record: 2n, vault: 3n, tokenAccount: 4n };
const BUILT: BuiltPayment = {
  kind: "built",
  transaction: "AQ==",
  payment: "payment",
  arbiter: ARBITER,
  terms: { text: TEXT, hash: HASH },
  fee: FEE,
  lastValidBlockHeight: 150n,
  tombstone: 1n,
};

/** Builds on a chain that answers with `answer`; `commands` are the commands it got. */
async function openBuilds(answer: () => Promise<BuiltPayment | PaymentRefusal> = async () => BUILT) {
  const opened = await openWithIntents();
  const commands: PaymentCommand[] = [];
  const builder: Pick<ChainBuilder, "buildPayment"> = {
    buildPayment: (command) => {
      commands.push(command);
      return answer();
    },
  };
  const screened: string[] = [];
  const deployment = { arbiter: ARBITER, checkoutsHeld: null as string | null };
  const ctx = testContext<BuyerContext>({
    database: opened.database,
    chain: { builder, sponsor: null, deployment, confirmed: NOTHING_CONFIRMED },
    screen: async ({ sender }) => {
      screened.push(sender);
      if (sender === refusedSender) throw refusedByScreening();
    },
  });
  return { ...opened, build: createBuilds(ctx), buildElsewhere: createBuilds(ctx), deployment, commands, screened };
}
const refusedSender = newWallet().address;
const newAccount = (): string => newWallet().address;
const withCode = (code: string) => ({ name: "BuyerError", code });

test("§4.14.1 a build is asked for on the intent's terms, ends after ten minutes, and is kept before it is given", async () => {
  const { opened, database, intent, build, commands } = await openBuilds();
  await using _ = opened;
  const { built, notAfter, view } = await build(intent.id, BUYER, "10.0.0.1");
  assert.equal(built, BUILT);
  assert.equal(notAfter.getTime(), Math.floor((view.now.getTime() + 600_000) / 1_000) * 1_000);
  const [command] = commands;
  assert.deepEqual(
    [
      command?.paymentId,
      command?.recipient,
      command?.amount,
      command?.asset,
      command?.protectionPeriod,
      command?.sender,
    ],
    [intent.paymentId, intent.recipient, intent.amount, intent.asset, intent.protectionPeriod, BUYER],
  );
  assert.deepEqual([command?.business, command?.notAfter], [{ name: "Shop", domain: null }, notAfter]);
  assert.equal(await findTermsByHash(database, HASH), TEXT);
  assert.deepEqual(await findInFlight(database, intent), [
    { kind: "built", account: BUYER, signature: null, until: notAfter },
  ]);
});

test("§10.12 while checkouts are held, or the chain names an arbiter that nobody confirmed, nothing is built", async () => {
  const { opened, database, intent, other, build, deployment, commands } = await openBuilds();
  await using _ = opened;
  deployment.checkoutsHeld = "The arbiter is new.";
  await assert.rejects(build(intent.id, BUYER, "10.0.0.1"), withCode("checkout_held"));
  assert.equal(commands.length, 0, "the chain is not even asked");
  deployment.checkoutsHeld = null;
  deployment.arbiter = BUYER;
  await assert.rejects(build(other.id, BUYER, "10.0.0.1"), withCode("checkout_held"));
  assert.equal(await findTermsByHash(database, HASH), null, "no buyer is shown terms with this arbiter");
  assert.deepEqual(await findInFlight(database, other), []);
});

test("§4.14.6 an intent that is canceled while the chain is asked gets no transaction", async () => {
  const cancel: { run: () => Promise<unknown> } = { run: async () => undefined };
  const { opened, database, intent, build } = await openBuilds(async () => {
    await cancel.run();
    return BUILT;
  });
  await using _ = opened;
  cancel.run = () =>
    database.rows(sql`
      update intents set status = 'canceled', holds_reference = false, canceled_at = now() where id = ${intent.id}`);
  await assert.rejects(build(intent.id, BUYER, "10.0.0.1"), withCode("canceled"));
  assert.equal(await findTermsByHash(database, HASH), null);
});

test("§4.14.7 one build serves those who ask at once, also when it fails; accounts and intents have their own", async () => {
  const failing = { now: false };
  const { opened, intent, other, build, commands } = await openBuilds(async () => {
    if (failing.now) throw new ChainUnavailableError("away");
    return BUILT;
  });
  await using _ = opened;
  await Promise.all([1, 2, 3].map(() => build(intent.id, BUYER, "10.0.0.1")));
  assert.equal(commands.length, 1);
  await build(other.id, BUYER, "10.0.0.1");
  await build(intent.id, ARBITER, "10.0.0.1");
  assert.equal(commands.length, 3);
  failing.now = true;
  const asked = await Promise.allSettled([1, 2].map(() => build(intent.id, intent.asset, "10.0.0.1")));
  for (const one of asked) assert.ok(one.status === "rejected" && one.reason instanceof ChainUnavailableError);
  assert.equal(commands.length, 4);
});

test("§4.14.7 a buyer who has got the tokens since is not given the same refusal again", async () => {
  let isShort = true;
  const refusal = { kind: "token_missing", missing: 5n } as const;
  const { opened, intent, build, commands } = await openBuilds(async () => (isShort ? refusal : BUILT));
  await using _ = opened;
  const ask = () => build(intent.id, BUYER, "10.0.0.1");
  await Promise.all([ask(), ask()].map((one) => assert.rejects(one, withCode("insufficient_token"))));
  isShort = false;
  assert.equal((await ask()).built, BUILT);
  assert.equal((await ask()).built, BUILT);
  assert.ok(commands.length <= 3, "what was built is kept");
});

/** Builds for `count` other wallets, from one network or several in turn. Returns the number that was not refused as too many. */
async function buildMany(build: Awaited<ReturnType<typeof openBuilds>>["build"], id: string, networks: string[]) {
  const results = await Promise.allSettled(networks.map((network) => build(id, newAccount(), network)));
  return results.filter((one) => one.status === "fulfilled" || one.reason.code !== "rate_limited").length;
}
const times = (count: number, network: string) => Array.from({ length: count }, () => network);

test("§4.14.7 one network uses up neither an intent's builds nor another network's, in two processes together", async () => {
  await withinClockMinute(async () => {
    const { opened, intent, other, build, buildElsewhere } = await openBuilds();
    await using _ = opened;
    assert.equal(await buildMany(build, intent.id, times(15, "10.0.0.1")), 15);
    assert.equal(await buildMany(buildElsewhere, intent.id, times(15, "10.0.0.1")), 5);
    assert.equal(await buildMany(build, intent.id, ["10.0.0.2"]), 1);
    assert.equal(await buildMany(build, other.id, times(25, "10.0.0.1")), 20);
    await assert.rejects(build(intent.id, newAccount(), "10.0.0.1"), withCode("rate_limited"));
  });
});

test("§4.14.7 who has many networks builds for an intent what two have, and leaves each other network its share", async () => {
  await withinClockMinute(async () => {
    const { opened, intent, other, build } = await openBuilds();
    await using _ = opened;
    const networks = Array.from({ length: 10 }, (_, at) => `2001:db8:1:${at}`);
    const built = await buildMany(
      build,
      intent.id,
      networks.flatMap((network) => times(15, network)),
    );
    assert.ok(built >= 2 * 20 && built <= 2 * 20 + 10 * 3, `${built} by networks of 56 bits`);
    for (const network of ["2001:db8:1:77", "2001:db8:1:1077", "2001:db8:2:0", "10.0.0.1"])
      assert.equal(await buildMany(build, intent.id, times(3, network)), 3, network);
    assert.equal(await buildMany(build, other.id, ["2001:db8:1:77"]), 1);
    // Requests beyond one network's limit use up nothing of its neighbours.
    assert.equal(await buildMany(build, other.id, times(100, "2001:db8:1:78")), 20);
    assert.equal(await buildMany(build, other.id, times(20, "2001:db8:1:1079")), 20);
  });
});

test("§4.14.7 no number of networks takes an intent from its buyer: of empty wallets only the tokens are read then", async (context) => {
  // The minute does not end meanwhile.
  context.mock.method(performance, "now", () => 1_000);
  const empty = { now: true };
  const refusal = { kind: "token_missing", missing: 1n } as const;
  const { opened, intent, other, build, commands } = await openBuilds(async () => (empty.now ? refusal : BUILT));
  await using _ = opened;
  const networks = Array.from({ length: 17 }, (_, at) => times(20, `2001:db8:${at}:7`)).flat();
  assert.equal(await buildMany(build, intent.id, networks), 340, "each reads what it lacks");
  const first = commands.findIndex(({ tokensFirst }) => tokensFirst);
  assert.ok(first >= 60 && first < 120, `the ${first}th`);
  empty.now = false;
  assert.equal((await build(intent.id, BUYER, "10.0.0.1")).built, BUILT);
  await build(other.id, BUYER, "10.0.0.1");
  assert.equal(commands.at(-1)?.tokensFirst, false, "another intent has nothing to do with it");
});

const bodyOf = (body: object) => parseJsonObject(JSON.stringify(body));

test("§4.14.6 what is no address of a wallet never reaches the chain", async () => {
  const { opened, intent, build, commands } = await openBuilds();
  await using _ = opened;
  for (const account of [undefined, null, 5, "", "x", `${BUYER} `, [BUYER], { account: BUYER }])
    assert.throws(() => BUILD_PAYMENT.body.parse(bodyOf({ account })), withCode("invalid_account"));
  for (const id of ["", "pi_test_x", intent.id.toUpperCase(), `${intent.id}0`])
    await assert.rejects(build(id, BUYER, "10.0.0.1"), withCode("not_found"));
  assert.equal(commands.length, 0);
});

test("§4.14.10 a payment that the screening refuses is not built, and nothing of it is kept", async () => {
  const { opened, database, intent, build, commands, screened } = await openBuilds();
  await using _ = opened;
  await assert.rejects(build(intent.id, refusedSender, "10.0.0.1"), withCode("not_accepted"));
  assert.deepEqual([commands.length, screened], [0, [refusedSender]]);
  assert.equal((await database.rows(sql`select from checkout_terms`)).length, 0);
  await build(intent.id, BUYER, "10.0.0.1");
  assert.deepEqual([commands.length, screened], [1, [refusedSender, BUYER]]);
});
