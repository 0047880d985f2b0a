import assert from "node:assert/strict";
import { test } from "node:test";
import { TOKEN_2022_PROGRAM_ID } from "@holdfast/escrow-client";
import { HUNG_MS } from "../../../tests/harness/wait.ts";
import { type Chain, NOTHING_CONFIRMED, unreadDeployment } from "../../chain/chain.ts";
import { createSolanaBuilder } from "../../chain/solana/builder.ts";
import { createSolanaChain } from "../../chain/solana/reader.ts";
import { anAccount, anAddress, at, operator, programId } from "../../chain/solana/testing/chain.ts";
import { type FakeNode, startFakeNode } from "../../chain/solana/testing/fakeNode.ts";
import type { Terms } from "../../domain/terms.ts";
import type { Database } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { openTestDatabase } from "../../store/testing.ts";
import { testContext } from "../testing.ts";
import { saveAsset, saveRecipient } from "./queries.ts";
import { rereadMints } from "./rereadMints.ts";
import { createTermsCheck } from "./terms.ts";

const soon = () => AbortSignal.timeout(HUNG_MS);
const PLAIN = { decimals: 6, tokenProgram: TOKEN_2022_PROGRAM_ID, riskyExtensions: [] };
const SAME = anAddress(101);
const REMADE = anAddress(102);
const GONE = anAddress(103);
const HIDDEN = anAddress(104);
const FRESH = anAddress(105);
const RECIPIENT = anAddress(200);

/** A mint with an extension of this number and 32 bytes. */
function aMint(decimals: number, extension?: number): Uint8Array {
  const data = new Uint8Array(extension === undefined ? 82 : 166 + 36);
  data[44] = decimals;
  data[45] = 1;
  if (extension !== undefined) data.set([1, extension, 0, 32, 0, ...Array(32).fill(1)], 165);
  return data;
}

function answerWith(node: FakeNode, mints: Readonly<Record<string, Uint8Array | null>>): void {
  node.answer("getMultipleAccounts", ([addresses]) =>
    at(
      300,
      (addresses as string[]).map((address) =>
        mints[address] ? anAccount(mints[address], TOKEN_2022_PROGRAM_ID) : null,
      ),
    ),
  );
}

async function openWorld() {
  const opened = await openTestDatabase();
  const nodes = await Promise.all([startFakeNode(), startFakeNode()]);
  const rpcUrls = nodes.map(({ url }) => url);
  const chain = testContext({
    chain: {
      programId,
      operator,
      arbiterLabel: { name: null, domain: null },
      confirmed: NOTHING_CONFIRMED,
      deployment: unreadDeployment(),
      reader: createSolanaChain({ programId, operator, rpcUrls, log: () => undefined }),
      builder: createSolanaBuilder({ programId, operator, rpcUrls, log: () => undefined, unitPriceMax: 0n }),
      sender: null,
      sponsor: null,
    },
  }).chain;
  await saveRecipient(opened.database, "test", RECIPIENT, "wallet");
  return {
    ...opened,
    nodes: nodes as [FakeNode, FakeNode],
    chain,
    async [Symbol.asyncDispose]() {
      for (const node of nodes) await node[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}

/** The checks of a process that starts now. */
const checksOf = (database: Database, chain: Chain, allowed: readonly string[] = []) =>
  createTermsCheck(testContext({ database, chain }), new Set(allowed));

function createWith(database: Database, chain: Chain, asset: string, recipient: string = RECIPIENT) {
  const { checkTerms } = checksOf(database, chain);
  const terms: Terms = { recipient, amount: "1", asset, protectionPeriod: "oneDay" };
  return checkTerms({ businessId: "biz_1", environment: "test" }, terms, async () => undefined);
}

const age = (database: Database, addresses: readonly string[]) =>
  database.rows(
    sql`update known_assets set read_at = now() - interval '25 hours' where address = any(${[...addresses]}::text[])`,
  );

test("§4.1.4 a mint is read again after a day, and creates go by what it is then", async () => {
  await using world = await openWorld();
  const { database, nodes, chain } = world;
  for (const mint of [SAME, REMADE, GONE, HIDDEN, FRESH]) await saveAsset(database, "test", mint, PLAIN);
  await age(database, [SAME, REMADE, GONE, HIDDEN]);
  const now = { [SAME]: aMint(6), [REMADE]: aMint(9, 12), [GONE]: null, [HIDDEN]: aMint(6), [FRESH]: aMint(2) };
  answerWith(nodes[0], { ...now, [HIDDEN]: null });
  answerWith(nodes[1], now);
  const logged: string[] = [];
  const log = (message: string) => void logged.push(message);

  assert.equal(await rereadMints(testContext({ database, chain, log }), soon()), false);
  assert.deepEqual(
    logged.sort(),
    [
      `test chain: the mint ${GONE} is gone.`,
      `test chain: the mint ${REMADE} had 6 decimals, risky extensions: none, of ${TOKEN_2022_PROGRAM_ID}, and has 9 decimals, risky extensions: permanentDelegate, of ${TOKEN_2022_PROGRAM_ID}.`,
    ].sort(),
  );
  for (const good of [SAME, HIDDEN, FRESH]) await createWith(database, chain, good);
  await assert.rejects(createWith(database, chain, REMADE), /permanentDelegate/);
  await assert.rejects(createWith(database, chain, GONE), /no SPL Token or Token-2022 mint/);

  const before = nodes[0].requests.length + nodes[1].requests.length;
  assert.equal(await rereadMints(testContext({ database, chain, log }), soon()), false);
  assert.equal(nodes[0].requests.length + nodes[1].requests.length, before, "all are fresh now");
});

test("§4.1.4 while no node answers, what was known of a mint holds", async () => {
  await using world = await openWorld();
  const { database, nodes, chain } = world;
  await saveAsset(database, "test", SAME, PLAIN);
  await age(database, [SAME]);
  for (const node of nodes) node.fail({ kind: "http", status: 503 });
  await assert.rejects(rereadMints(testContext({ database, chain }), soon()), /No chain node/);
  await createWith(database, chain, SAME);
  // An unknown recipient is not refused while the chain is down; the operator account is refused without a chain.
  await createWith(database, chain, SAME, anAddress(201));
  await assert.rejects(createWith(database, chain, SAME, operator), /an account of the escrow program/);
});

test("§4.1.4 a mint that somebody may close, and make again, is refused unless the deployment lists it", async () => {
  await using world = await openWorld();
  const { database, nodes, chain } = world;
  for (const node of nodes) answerWith(node, { [SAME]: aMint(6, 3) });
  await assert.rejects(createWith(database, chain, SAME), /closeAuthority/);
});

test("§4.17 a token says why creates refuse it, is read once for all who ask at the same moment, and is none where no mint is", async (context) => {
  // Reads are counted by the minute: this one does not end during the test.
  context.mock.method(performance, "now", () => 1_000);
  await using world = await openWorld();
  const { database, nodes, chain } = world;
  for (const node of nodes) answerWith(node, { [SAME]: aMint(9, 3) });
  const { findAsset } = checksOf(database, chain);
  const tenant = { businessId: "biz_1", environment: "test" } as const;
  const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => findAsset(tenant, SAME)));
  assert.deepEqual([first!.decimals, first!.tokenProgram], [9, TOKEN_2022_PROGRAM_ID]);
  assert.match(first!.refusal!, /closeAuthority.*not accepted here/);
  for (const other of others) assert.deepEqual(other, first);
  assert.equal(nodes[0].requests.length + nodes[1].requests.length, 1);
  assert.equal((await checksOf(database, chain, [SAME]).findAsset(tenant, SAME))!.refusal, null);
  assert.equal(await findAsset(tenant, GONE), null);
  for (let read = 0; read < 28; read++) await findAsset(tenant, anAddress(30 + read));
  await assert.rejects(findAsset(tenant, anAddress(90)), { code: "unavailable" });
});
