import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChainReader, ChainUnavailableError, type NodeAnswer, type TransactionLookup } from "./port.ts";
import { shareReads } from "./sharedReads.ts";

const signal = new AbortController().signal;
const LANDED = { kind: "landed", transaction: { signature: "s", slot: 7 } } as unknown as TransactionLookup;

/** A node whose answers the test gives, with the number of requests that reached it. */
function aNode() {
  const asked: ((answer: TransactionLookup | Error) => void)[] = [];
  const fetchTransaction = () =>
    new Promise<NodeAnswer<TransactionLookup>>((resolve, reject) =>
      asked.push((answer) =>
        answer instanceof Error ? reject(answer) : resolve({ value: answer, slot: 9, node: 0 } as never),
      ),
    );
  return { asked, reader: shareReads({ nodes: 2, fetchTransaction } as unknown as ChainReader) };
}

test("cells that read a transaction at the same time, or one after the other, cause one request", async () => {
  const { asked, reader } = aNode();
  const both = Promise.all([reader.fetchTransaction("s", { signal }), reader.fetchTransaction("s", { signal })]);
  assert.equal(asked.length, 1);
  asked[0]!(LANDED);
  for (const { value } of await both) assert.equal(value, LANDED);
  assert.equal((await reader.fetchTransaction("s", { signal })).value, LANDED);
  assert.equal(asked.length, 1);
});

test("a transaction that no node knows, and a second opinion, are asked for each time", async () => {
  const { asked, reader } = aNode();
  const first = reader.fetchTransaction("s", { signal });
  asked[0]!({ kind: "unknown" } as unknown as TransactionLookup);
  await first;
  const second = reader.fetchTransaction("s", { signal });
  assert.equal(asked.length, 2);
  asked[1]!(LANDED);
  await second;
  void reader.fetchTransaction("s", { signal, notNode: 0 });
  assert.equal(asked.length, 3);
});

test("a read that fails for the cell that began it is begun anew for the others", async () => {
  const { asked, reader } = aNode();
  const [one, other] = [reader.fetchTransaction("s", { signal }), reader.fetchTransaction("s", { signal })];
  asked[0]!(new ChainUnavailableError("given up"));
  await assert.rejects(one, /given up/);
  await new Promise(setImmediate);
  assert.equal(asked.length, 2);
  asked[1]!(LANDED);
  assert.equal((await other).value, LANDED);
});
