import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Devnet } from "@holdfast/devnet/start.ts";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import { acceptInstruction, proposeInstruction, type Role } from "@holdfast/escrow-client";
import type { Address } from "@solana/kit";
import { HUNG_MS } from "../../../tests/harness/wait.ts";
import { type Chain, type ConfirmedBySetting, NOTHING_CONFIRMED, unreadDeployment } from "../../chain/chain.ts";
import { createSolanaBuilder } from "../../chain/solana/builder.ts";
import { createSolanaChain } from "../../chain/solana/reader.ts";
import { anAddress } from "../../chain/solana/testing/chain.ts";
import { startLocalChain } from "../../chain/solana/testing/localChain.ts";
import { isPlainKey } from "../../domain/addresses.ts";
import { sql } from "../../store/sql.ts";
import { openTestDatabase } from "../../store/testing.ts";
import { testContext } from "../testing.ts";
import { leaveChain } from "./actions.ts";
import { checkDeployment, fetchDeployment } from "./checkDeployment.ts";
import { type DeploymentFacts, holdReason, refuseDeployment, warnOfDeployment } from "./deployment.ts";
import { joinChain } from "./join.ts";

const MANIFEST = fileURLToPath(import.meta.resolve("@holdfast/program/manifest.json"));
const builtHash: string = JSON.parse(readFileSync(MANIFEST, "utf8")).program;
const soon = () => AbortSignal.timeout(HUNG_MS);

let local: Awaited<ReturnType<typeof startLocalChain>>;
let net: Devnet;
before(async () => {
  local = await startLocalChain();
  net = local.net;
});
after(() => local.stop());

interface Start {
  readonly programId?: string;
  readonly operator?: string;
  readonly confirmed?: Partial<ConfirmedBySetting>;
}

/** A process with these settings: its chain, and its log. */
function aProcess({ programId = net.programId, operator = net.operator, confirmed = {} }: Start = {}) {
  const logged: string[] = [];
  // The consensus of the run's chain is told by another step.
  const log = (message: string) => {
    if (!/Alpenglow|TowerBFT/.test(message)) logged.push(message);
  };
  const chain = testContext({
    chain: {
      programId,
      operator,
      arbiterLabel: { name: null, domain: null },
      confirmed: { ...NOTHING_CONFIRMED, ...confirmed },
      deployment: unreadDeployment(),
      reader: createSolanaChain({ programId, operator, rpcUrls: [net.rpcUrl], log }),
      builder: createSolanaBuilder({ programId, operator, rpcUrls: [net.rpcUrl], log, unitPriceMax: 0n }),
      sender: null,
      sponsor: null,
    },
  }).chain;
  return { chain, logged, log };
}

type Process = ReturnType<typeof aProcess>;
type Opened = Awaited<ReturnType<typeof openTestDatabase>>;
const join = ({ database }: Opened, { chain, log }: Process) => joinChain({ database, chain, log }, soon());
const look = async ({ database }: Opened, { chain, log }: Process) =>
  checkDeployment({ database, chain, log }, await fetchDeployment(chain, soon()), soon());

function propose(role: Role, key: Address | null) {
  const { authority } = net.wallets;
  const { programId, operator } = net;
  net.chain.send([proposeInstruction({ programId, operator, authority: authority.address, role, key })], authority);
  net.controls.tick(2);
}

function accept(role: Role, wallet: ReturnType<typeof newWallet>) {
  const { programId, operator, wallets } = net;
  net.chain.send([acceptInstruction({ programId, operator, role, key: wallet.address })], wallets.authority, wallet);
  net.controls.tick(2);
}

/** Another arbiter takes office. */
function rotateArbiter() {
  const wallet = newWallet();
  propose("arbiter", wallet.address);
  accept("arbiter", wallet);
  return wallet.address;
}

test("§10.11 an operator or program id that is none is refused by what stands there, and nothing is joined", async () => {
  await using opened = await openTestDatabase();
  const { address: payment } = await local.aPayment();
  net.controls.tick(2);
  for (const [start, refusal] of [
    [{ operator: net.addresses.authority }, `this is a wallet. Did you mean its operator account ${net.operator}?`],
    [{ operator: net.addresses.faucet }, "this is a wallet. Set the address of an operator account of the program"],
    [{ operator: anAddress(99) }, "there is nothing at this address"],
    [{ operator: net.programId }, "this is a program"],
    [{ operator: net.asset }, "this account belongs to another program"],
    [{ operator: payment }, "this is another account of the escrow program"],
    [{ programId: net.addresses.faucet }, "programId in TEST_CHAIN, .*, is not an escrow program: this is a wallet"],
    [{ programId: anAddress(99) }, "is not an escrow program: there is nothing at this address"],
    [{ programId: net.asset }, "is not an escrow program: this is an account of another program"],
    [
      { programId: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" },
      "operator in TEST_CHAIN, .* belongs to another program",
    ],
  ] as const) {
    const words = new RegExp(refusal.replaceAll("?", "\\?"));
    await assert.rejects(join(opened, aProcess(start)), words, refusal);
  }
  assert.deepEqual(await opened.database.rows(sql`select environment from chains`), []);
});

test("§10.12 the join reads arbiter, upgrade authority and the hash of the file; what it finds is confirmed", async () => {
  await using opened = await openTestDatabase();
  const { chain, logged, log } = aProcess();
  assert.match(chain.deployment.checkoutsHeld!, /not been read/);
  await join(opened, { chain, logged, log });
  assert.deepEqual(chain.deployment, { arbiter: net.addresses.arbiter, checkoutsHeld: null });
  assert.deepEqual(logged, []);
  const { programHash, upgradeAuthority } = await look(opened, { chain, logged, log });
  assert.equal(programHash, builtHash);
  const wrong = aProcess({ confirmed: { programHashes: new Set(["0".repeat(64)]) } });
  await join(opened, wrong);
  assert.match(
    wrong.chain.deployment.checkoutsHeld!,
    new RegExp(`the program's file ${builtHash} \\(programHash in TEST_CHAIN\\)`),
  );
  assert.deepEqual(wrong.logged, [`test chain: ${wrong.chain.deployment.checkoutsHeld}`]);
  const named = {
    programHashes: new Set([builtHash, "0".repeat(64)]),
    upgradeAuthorities: new Set([upgradeAuthority]),
  };
  const right = aProcess({ confirmed: named });
  await join(opened, right);
  assert.equal(right.chain.deployment.checkoutsHeld, null);
});

test("§10.12 a new arbiter holds checkouts in every process until a setting names it, and one process logs it once", async () => {
  await using opened = await openTestDatabase();
  const [one, other] = [aProcess(), aProcess()];
  await join(opened, one);
  await join(opened, other);
  const { arbiter: before } = one.chain.deployment;

  const next = newWallet();
  propose("arbiter", next.address);
  await Promise.all([look(opened, one), look(opened, other)]);
  const proposed = `test chain: the proposed arbiter was none and is ${next.address}.`;
  assert.deepEqual([...one.logged, ...other.logged], [proposed], "a proposal is logged once and holds nothing");
  assert.equal(one.chain.deployment.checkoutsHeld, null);

  const outdated = await fetchDeployment(one.chain, soon());
  accept("arbiter", next);
  await Promise.all([look(opened, one), look(opened, other)]);
  const held = `No new checkouts on test until a setting names the arbiter ${next.address} (arbiter in TEST_CHAIN).`;
  // Either process may have logged each line.
  const lines = [
    proposed,
    `test chain: the arbiter was ${before} and is ${next.address}. ${held}`,
    `test chain: the proposed arbiter was ${next.address} and is none. ${held}`,
  ];
  assert.deepEqual([...one.logged, ...other.logged].sort(), lines.sort());
  for (const { chain } of [one, other])
    assert.deepEqual(chain.deployment, { arbiter: next.address, checkoutsHeld: held });
  const [row] = await opened.database.rows<{ changes: number }>(sql`select changes from deployments`);
  assert.equal(row?.changes, 3);

  // A lagging node, or a slow answer, does not bring the old arbiter back.
  await checkDeployment({ database: opened.database, ...one }, outdated, soon());
  assert.equal(one.chain.deployment.checkoutsHeld, held);
  // A false slot from a lying node blocks the truth for no longer than a read takes.
  await opened.database.rows(sql`
    update deployments set slot = 1000000000, arbiter = ${anAddress(8)}, changed_at = now() - interval '61 seconds'`);
  await look(opened, other);
  assert.deepEqual(other.chain.deployment, { arbiter: next.address, checkoutsHeld: held });
  other.logged.length = 0;

  const started = aProcess();
  await join(opened, started);
  assert.deepEqual(started.logged, [`test chain: ${held}`], "a restart ends nothing");
  const confirmed = aProcess({ confirmed: { arbiters: new Set([before!, next.address]) } });
  await join(opened, confirmed);
  assert.deepEqual([confirmed.chain.deployment.checkoutsHeld, confirmed.logged], [null, []]);
  await look(opened, started);
  assert.equal(started.chain.deployment.checkoutsHeld, null, "what one process confirmed holds for all that name none");

  const taken = rotateArbiter();
  await look(opened, confirmed);
  assert.match(
    confirmed.chain.deployment.checkoutsHeld!,
    new RegExp(taken),
    "a list of arbiters is no licence for a third",
  );
});

test("§10.11 a database without intents can leave a program and operator joined by mistake; one with intents cannot", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  await assert.rejects(leaveChain(database, "test"), { name: "ActionError", code: "chain_not_joined" });
  await join(opened, aProcess());
  await database.rows(sql`update chains set operator = ${anAddress(5)}, program_id = ${anAddress(6)}`);
  await assert.rejects(join(opened, aProcess()), /belongs to the operator .* npm run admin -- chain leave test\.$/);
  await database.rows(sql`update chains set operator = ${net.operator}`);
  await assert.rejects(join(opened, aProcess()), /belongs to the program .* npm run admin -- chain leave test\.$/);
  await database.rows(sql`
    insert into unmatched_payments (environment, address, reason, payment_id, status, sender, recipient, amount, asset, protection_period,
      created_at, protection_deadline, checked_at, observed_slot, refund_total, amount_refunded, amount_released)
    values ('test', 'payment', 'unknown_payment_id', 1, 'protected', 's', 'r', 1, 'a', 'oneHour', now(), now(), now(), 1, 0, 0, 0)`);
  await assert.rejects(leaveChain(database, "test"), { name: "ActionError", code: "chain_in_use" });
  await database.rows(sql`update unmatched_payments set status = 'released', outcome = 'settled', amount_released = 1`);
  assert.deepEqual(await leaveChain(database, "test"), { operator: net.operator });
  await join(opened, aProcess());
  await database.rows(sql`
    insert into businesses (id, name, created_at) values ('biz_1', 'Shop', now())`);
  await database.rows(sql`
    insert into intents (business_id, id, environment, status, holds_reference, recipient, amount, asset, protection_period,
      merchant_reference, metadata, payment_id, created_at, expires_at, last_occurred_at, list_position)
    values ('biz_1', 'pi_1', 'test', 'requires_payment', true, 'x', 1, 'x', 'oneHour', 'r', '{}', 1,
      now(), date_trunc('second', now(), 'UTC') + interval '1 hour', now(), 1)`);
  await assert.rejects(leaveChain(database, "test"), { name: "ActionError", code: "chain_in_use" });
  assert.equal((await database.rows(sql`select environment from chains`)).length, 1);
});

test("§10.11 a live program that a single key can replace needs a setting that names the key", () => {
  const key = newWallet().address;
  const multisig = net.operator;
  assert.deepEqual([isPlainKey(key), isPlainKey(multisig)], [true, false]);
  const operator = {
    kind: "operator",
    authority: key,
    arbiter: key,
    pendingAuthority: null,
    pendingArbiter: null,
  } as const;
  const refuse = (environment: "test" | "live", upgradeAuthority: string | null, named: readonly string[] = []) =>
    refuseDeployment(
      {
        ...{ environment, sender: null, sponsor: null },
        programId: "P",
        operator: "O",
        confirmed: { ...NOTHING_CONFIRMED, upgradeAuthorities: new Set(named) },
      },
      { program: { kind: "program", upgradeAuthority, deployedSlot: 1 }, operator },
    );
  assert.match(refuse("live", key)!, new RegExp(`single key, ${key}.*name it as upgradeAuthority in LIVE_CHAIN`));
  assert.match(refuse("live", key, ["none", multisig])!, /single key/);
  for (const upgradeAuthority of [null, multisig]) assert.equal(refuse("live", upgradeAuthority), null);
  assert.equal(refuse("live", key, [key]), null);
  assert.equal(refuse("test", key), null);
});

test("§10.11 a key of an office refuses the start as that of keeper or sponsor: whoever breaks into the server would have it", () => {
  const offices = { authority: "A", arbiter: "B", pendingAuthority: "C", pendingArbiter: "D" };
  const refuse = (keeper: string, sponsors: readonly string[] = []) =>
    refuseDeployment(
      {
        ...{ environment: "test", programId: "P", operator: "O", confirmed: NOTHING_CONFIRMED },
        sender: { feePayer: keeper } as Chain["sender"],
        sponsor: { addresses: sponsors } as Chain["sponsor"],
      },
      {
        program: { kind: "program", upgradeAuthority: "U", deployedSlot: 1 },
        operator: { kind: "operator", ...offices },
      },
    );
  assert.equal(refuse("K", ["S"]), null);
  for (const key of ["A", "B", "C", "D", "U"]) {
    assert.match(refuse(key)!, new RegExp(`^The key of the keeper, ${key}, is the .*in TEST_CHAIN a key of its own`));
    assert.match(refuse("K", ["S", key])!, new RegExp(`^The key of the sponsor, ${key}, is the `));
  }
});

test("§10.12 a plain-key arbiter on live is warned of; each unconfirmed value is named with its setting", () => {
  const facts: DeploymentFacts = {
    authority: "A",
    arbiter: newWallet().address,
    pendingAuthority: null,
    pendingArbiter: null,
    upgradeAuthority: "none",
    programSlot: 1,
    programHash: "b".repeat(64),
  };
  const settings = { environment: "live", programId: "P", operator: "O", confirmed: NOTHING_CONFIRMED } as const;
  assert.equal(warnOfDeployment(settings, facts).length, 1);
  assert.equal(warnOfDeployment(settings, { ...facts, arbiter: net.operator }).length, 0);
  assert.equal(warnOfDeployment({ ...settings, environment: "test" }, facts).length, 0);
  const confirmed = { arbiter: "X", upgradeAuthority: "U", programHash: "c".repeat(64) };
  const reason = holdReason(settings, facts, confirmed)!;
  for (const name of ["arbiter", "upgradeAuthority", "programHash"])
    assert.match(reason, new RegExp(`${name} in LIVE_CHAIN`));
  assert.equal(holdReason(settings, facts, facts), null);
});
