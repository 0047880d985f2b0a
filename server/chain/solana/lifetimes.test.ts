import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_LIFETIMES } from "../lifetime.ts";
import { createLifeMethods } from "./builder.ts";
import { createLifeReads } from "./lifetimes.ts";
import { NodeError } from "./nodeError.ts";
import type { NodeSession, Pool } from "./pool.ts";

/** A node at a height, whose blocks are final at once. */
function aNode() {
  const node = {
    height: 1_000,
    slot: null as number | null,
    statusSlot: null as number | null,
    status: null as object | null,
  };
  const answers: Readonly<Record<string, () => unknown>> = {
    getEpochInfo: () => ({ absoluteSlot: node.slot ?? node.height + 50, blockHeight: node.height }),
    getSignatureStatuses: () => ({ context: { slot: node.statusSlot ?? node.height + 50 }, value: [node.status] }),
    getLatestBlockhash: () => ({
      context: { slot: node.height + 50 },
      value: { blockhash: "11111111111111111111111111111111", lastValidBlockHeight: node.height + 150 },
    }),
  };
  const session = {
    node: 0,
    commitment: "confirmed",
    call: async (method: string) => answers[method]!(),
    acceptReached: async () => undefined,
    acceptSlot: () => undefined,
    acceptAbsence: () => undefined,
  } as unknown as NodeSession;
  return { node, session };
}

const named = { name: "blockhash", signature: "signature" };

test("§4.14.11 the estimate goes by the time that blocks take, and begins with that of the shortest", async () => {
  const { node, session } = aNode();
  let nowMs = 0;
  const lives = createLifeReads(NO_LIFETIMES, { now: () => nowMs, after: () => () => {} });
  await lives.save("blockhash", 1_150n);
  const msLeft = async () => {
    const life = await lives.judge(session, named, "confirmed");
    return life.kind === "live" ? life.msLeft : null;
  };
  assert.equal(await msLeft(), 150 * 200);
  for (const [height, atMs, wanted] of [
    [1_010, 3_000, 140 * 200],
    [1_020, 6_000, 130 * 300],
    [1_005, 9_000, 145 * 300],
    [1_150, 45_000, 0],
  ] as const) {
    [node.height, nowMs] = [height, atMs];
    assert.equal(await msLeft(), wanted, String(height));
  }
  node.height = 1_151;
  assert.equal(await msLeft(), null);
});

test("§4.14.11 a node that shows a height and does not say what became of the signature by then is not believed", async () => {
  const { node, session } = aNode();
  const lives = createLifeReads(NO_LIFETIMES, { now: () => 0, after: () => () => {} });
  await lives.save("blockhash", 900n);
  assert.deepEqual(await lives.judge(session, named, "finalized"), { kind: "ended", slot: 1_050 });
  node.statusSlot = 1_049;
  await assert.rejects(lives.judge(session, named, "finalized"), NodeError);
  node.statusSlot = null;
  for (const [err, kind] of [
    [null, "landed"],
    [{ InstructionError: [0, "Custom"] }, "failed"],
  ] as const) {
    node.status = { slot: 10, confirmationStatus: "finalized", confirmations: null, err };
    assert.equal((await lives.judge(session, named, "finalized")).kind, kind);
  }
});

test("§4.14.11 what nobody built here ends with the newest blockhash of the first look, some blocks later", async () => {
  const { node, session } = aNode();
  const lives = createLifeReads(NO_LIFETIMES, { now: () => 0, after: () => () => {} });
  const kindAt = async (height: number) => {
    node.height = height;
    return (await lives.judge(session, named, "finalized")).kind;
  };
  assert.deepEqual([await kindAt(1_000), await kindAt(1_300), await kindAt(1_301)], ["live", "live", "ended"]);
});

test("§4.14.11 a height that has passed more blocks than slots is refused, and does not stay the measure", async () => {
  const { node, session } = aNode();
  const lives = createLifeReads(NO_LIFETIMES, { now: () => 0, after: () => () => {} });
  await lives.save("blockhash", 1_150n);
  const judge = () => lives.judge(session, named, "finalized");
  [node.slot, node.statusSlot] = [5_000, 5_000];
  assert.equal((await judge()).kind, "live");
  [node.slot, node.height, node.statusSlot] = [5_010, 4_000, 5_010];
  await assert.rejects(judge(), NodeError);
  node.height = 1_010;
  assert.equal((await judge()).kind, "live");
  [node.slot, node.height, node.statusSlot] = [6_000, 1_990, 6_000];
  assert.equal((await judge()).kind, "ended");
});

test("§4.14.11 what failed by one node and ended by another cannot land", async () => {
  type Ask = (session: NodeSession) => unknown;
  const queue = ({ notNode }: { notNode?: number }) => ({
    ask: (ask: Ask) => ask({ node: notNode === 0 ? 1 : 0 } as NodeSession),
  });
  const pool = { nodes: 2, deadlineMs: 1, queue } as unknown as Pool;
  const canLand = (...kinds: readonly [string, string]) => {
    const lives = { judge: async ({ node }: NodeSession) => ({ kind: kinds[node] }) };
    const methods = createLifeMethods(pool, lives as unknown as ReturnType<typeof createLifeReads>);
    return methods.canSignatureLand("signature", { signal: new AbortController().signal });
  };
  assert.deepEqual([await canLand("failed", "ended"), await canLand("ended", "failed")], [false, false]);
  assert.deepEqual([await canLand("failed", "live"), await canLand("ended", "landed")], [true, true]);
});
