import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { openNode } from "./nodes.ts";

const BLOCK_ID = new Array(32).fill(7);

test("a chain is read at `finalized` if its node shows a certificate of Alpenglow, in both spellings, and for nothing else", async () => {
  const commitmentBy = async (certificate: unknown): Promise<string | null> => {
    let commitment: string | null = null;
    const fetched = mock.method(globalThis, "fetch", async (_: string, { body }: { body: string }) => {
      const { method, params } = JSON.parse(body);
      if (method === "getTransaction") ({ commitment } = params[1]);
      const answer = method === "getTransaction" ? { result: null } : { result: certificate };
      return new Response(JSON.stringify(certificate === undefined ? { error: { code: -32601 }, ...answer } : answer));
    });
    try {
      await openNode("http://localhost:1").fetchTransaction("signature");
    } finally {
      fetched.mock.restore();
    }
    return commitment;
  };
  for (const block of [
    { slot: 7, blockId: BLOCK_ID },
    { slot: 7, block_id: BLOCK_ID },
  ])
    assert.equal(await commitmentBy({ block }), "finalized");
  const others = [undefined, null, true, {}, { block: null }, { block: { slot: 7 } }, { slot: 7, blockId: BLOCK_ID }];
  for (const other of others) assert.equal(await commitmentBy(other), "confirmed", JSON.stringify(other));
});
