import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { HUNG_MS } from "../../../tests/harness/wait.ts";
import { createActionSender } from "../../chain/actionSender.ts";
import { type Chain, NOTHING_CONFIRMED, unreadDeployment } from "../../chain/chain.ts";
import { createSolanaBuilder } from "../../chain/solana/builder.ts";
import { createSolanaChain } from "../../chain/solana/reader.ts";
import { anAddress, operator as OPERATOR, programId } from "../../chain/solana/testing/chain.ts";
import { aDeployment, aProgramData, showDeployment } from "../../chain/solana/testing/deployment.ts";
import { type FakeNode, rpcError, startFakeNode } from "../../chain/solana/testing/fakeNode.ts";
import type { Environment } from "../../domain/terms.ts";
import { sql } from "../../store/sql.ts";
import { type OpenTestDatabase, openTestDatabase } from "../../store/testing.ts";
import { lookAtDeployment } from "./checkDeployment.ts";
import { joinChain } from "./join.ts";

const MAINNET = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d";

let opened: OpenTestDatabase;
let nodes: FakeNode[];
const shown = aDeployment();
before(async () => {
  opened = await openTestDatabase();
  nodes = await Promise.all([startFakeNode(), startFakeNode()]);
});
after(async () => {
  for (const node of nodes ?? []) await node[Symbol.asyncDispose]();
  await opened?.[Symbol.asyncDispose]();
});

type Addresses = Partial<Pick<Chain, "programId" | "operator">>;

function chainOf(environment: Environment, addresses: Addresses = {}): Chain {
  const ours = { programId, operator: OPERATOR, ...addresses };
  const settings = { ...ours, log: () => undefined, rpcUrls: nodes.map(({ url }) => url) };
  const reader = createSolanaChain(settings);
  const builder = createSolanaBuilder({ ...settings, unitPriceMax: 0n });
  return {
    environment,
    ...ours,
    arbiterLabel: { name: null, domain: null },
    confirmed: NOTHING_CONFIRMED,
    deployment: unreadDeployment(),
    reader,
    builder,
    actionSender: createActionSender({ reader, builder, log: () => undefined }),
    revertRule: { slots: 0, apartMs: 0 },
    sender: null,
    sponsor: null,
  };
}

/** Joins while the nodes name these hashes; null is a node that is down. */
async function joinWith(environment: Environment, hashes: readonly (string | null)[], addresses?: Addresses) {
  hashes.forEach((hash, at) => {
    nodes[at]!.fail(hash === null ? { kind: "http", status: 503 } : null);
    nodes[at]!.answer("getGenesisHash", () => hash);
    nodes[at]!.answer("getMultipleAccounts", showDeployment(shown));
  });
  const chain = chainOf(environment, addresses);
  const genesisHash = await joinChain(
    { database: opened.database, chain, log: () => undefined },
    AbortSignal.timeout(HUNG_MS),
  );
  return { chain, genesisHash };
}

test("§10.2 a node of mainnet under test is refused in any position, and so is the reverse", async () => {
  for (const hashes of [
    [MAINNET, "devnet"],
    ["devnet", MAINNET],
    [null, MAINNET],
  ])
    await assert.rejects(joinWith("test", hashes), /Node \d: rpcUrls in TEST_CHAIN point at Solana mainnet/);
  for (const hashes of [
    [MAINNET, "devnet"],
    ["devnet", null],
  ])
    await assert.rejects(joinWith("live", hashes), /Node \d: rpcUrls in LIVE_CHAIN do not point at Solana mainnet/);
  await assert.rejects(joinWith("test", ["devnet", "testnet"]), /different test chains/);
  await assert.rejects(joinWith("test", [null, null]), /No chain node gave a usable answer/);
  assert.deepEqual(await opened.database.rows(sql`select environment from chains`), [], "nothing was joined");
});

test("§10.2 a database belongs to one chain and operator; a node that was away must name the chain first", async () => {
  const { chain, genesisHash } = await joinWith("test", ["devnet", null]);
  assert.equal(genesisHash, "devnet");
  nodes[1]!.fail(null);
  nodes[0]!.fail({ kind: "http", status: 503 });
  nodes[1]!.answer("getSlot", () => 7);
  nodes[1]!.answer("getBlockTime", () => 1_795_000_000);
  nodes[1]!.answer("getGenesisHash", () => "testnet");
  const read = () => chain.reader.fetchHead({ signal: AbortSignal.timeout(HUNG_MS) });
  await assert.rejects(read(), /node 1: a node of another chain/);
  nodes[1]!.answer("getGenesisHash", () => "devnet");
  assert.equal((await read()).node, 1);

  const { chain: later, genesisHash: known } = await joinWith("test", [null, null]);
  assert.equal(known, "devnet", "a chain that is known may be away at the start");
  nodes[0]!.fail(null);
  nodes[0]!.answer("getGenesisHash", () => "testnet");
  await assert.rejects(
    later.reader.fetchHead({ signal: AbortSignal.timeout(HUNG_MS) }),
    /node 0: a node of another chain/,
  );

  await assert.rejects(joinWith("test", ["testnet", "testnet"]), /belongs to another test chain/);
  const other = { operator: "11111111111111111111111111111111" };
  await assert.rejects(joinWith("test", ["devnet", "devnet"], other), /to the operator .* chain leave test/);
  await assert.rejects(
    joinWith("test", ["devnet", "devnet"], { programId: other.operator }),
    /not an operator account|to the program/,
  );
});

test("§10.12 a program that was deployed again holds checkouts before its file can be read, and an operator that is gone does too", async () => {
  await using own = await openTestDatabase();
  const before = aDeployment();
  for (const node of nodes) node.fail(null);
  for (const node of nodes) node.answer("getMultipleAccounts", showDeployment(before));
  const ctx = { database: own.database, chain: chainOf("test"), log: () => undefined };
  const soon = () => AbortSignal.timeout(HUNG_MS);
  for (const node of nodes) node.answer("getGenesisHash", () => "devnet");
  await joinChain(ctx, soon());
  const { deployment } = ctx.chain;
  assert.equal(deployment.checkoutsHeld, null);

  const file = Uint8Array.of(9, 9, 9);
  const upgraded = aDeployment({ slot: 400, programData: aProgramData(350, anAddress(7), file) });
  const withoutFile = (params: readonly unknown[]) =>
    (params[0] as readonly unknown[]).length === 2 ? rpcError(-32010) : showDeployment(upgraded)(params);
  for (const node of nodes) node.answer("getMultipleAccounts", withoutFile);
  await assert.rejects(lookAtDeployment(ctx, soon()), { name: "ChainUnavailableError" });
  assert.match(deployment.checkoutsHeld!, /deployed again, and its file has not been read/);

  for (const node of nodes) node.answer("getMultipleAccounts", showDeployment(upgraded));
  await lookAtDeployment(ctx, soon());
  const hash = createHash("sha256").update(file).digest("hex");
  assert.match(deployment.checkoutsHeld!, new RegExp(`the program's file ${hash} \\(programHash in TEST_CHAIN\\)`));

  deployment.checkoutsHeld = null;
  for (const node of nodes) node.fail({ kind: "http", status: 503 });
  await assert.rejects(lookAtDeployment(ctx, soon()), { name: "ChainUnavailableError" });
  assert.equal(deployment.checkoutsHeld, null, "a chain that is away changes nothing");
  for (const node of nodes) node.fail(null);
  for (const node of nodes)
    node.answer("getMultipleAccounts", showDeployment({ ...upgraded, slot: 500, operator: null }));
  await assert.rejects(lookAtDeployment(ctx, soon()), /there is nothing at this address/);
  assert.match(deployment.checkoutsHeld!, /is not an operator account/);
});
