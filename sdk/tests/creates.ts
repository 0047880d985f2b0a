import assert from "node:assert/strict";
import { Random } from "../../tests/faults/random.ts";
import { newMerchant, someTerms } from "../../tests/harness/merchant.ts";
import type { RunningService } from "../../tests/harness/service.ts";
import { CallError, Holdfast, type NewPaymentIntent, type PaymentIntent } from "../index.ts";
import { type Fault, startBadNetwork } from "./badNetwork.ts";

const AT_ONCE = 20;
const RATE = 100_000;
/** A call that failed in the end is made again with the key of its error. A busy machine fails many. */
const CALLS_MAX = 200;
/** A hung attempt ends then; every other one has to be answered sooner, also where the machine is busy. */
const ATTEMPT_MS = 15_000;
const FAULTS: readonly (readonly [Fault, chance: number])[] = [
  ["before", 0.05],
  ["after", 0.08],
  ["within", 0.04],
  ["hang", 0.01],
  ["503", 0.05],
  ["502", 0.02],
  ["429", 0.02],
];

function faultsOf(random: Random): () => Fault {
  return () => {
    let left = random.next();
    for (const [fault, chance] of FAULTS) {
      if (left < chance) return fault;
      left -= chance;
    }
    return "none";
  };
}

/** Creates an intent, however often the network fails; the caller only ever repeats with the key of the error. */
async function create(client: Holdfast, terms: NewPaymentIntent, failures: string[]): Promise<PaymentIntent> {
  let idempotencyKey: string | undefined;
  for (let calls = 1; ; calls++)
    try {
      return await client.paymentIntents.create(terms, { idempotencyKey });
    } catch (error) {
      if (!(error instanceof CallError) || !error.retryable || calls === CALLS_MAX) throw error;
      failures.push(error.name);
      assert.ok(error.idempotencyKey !== null);
      idempotencyKey = error.idempotencyKey;
    }
}

/**
 * Creates intents through a network that resets, cuts, hangs and refuses. Throws unless each call makes one intent, and no
 * key is used for two bodies.
 */
export async function runCreates(
  service: RunningService,
  { seed, creates }: { readonly seed: number; readonly creates: number },
): Promise<Readonly<Record<string, number>>> {
  const merchant = await newMerchant(service, { rate: RATE });
  const random = new Random(seed);
  await using network = await startBadNetwork(() => service.apiUrl, faultsOf(random));
  const client = new Holdfast({ apiKey: merchant.key, baseUrl: network.url, attemptTimeoutMs: ATTEMPT_MS });
  const failures: string[] = [];
  const made = new Map<string, string>();
  let next = 0;
  const work = async () => {
    while (next < creates) {
      const number = next++;
      const terms = someTerms(service, {
        merchantReference: `call-${number}`,
        metadata: { number },
      }) as NewPaymentIntent;
      const intent = await create(client, terms, failures);
      assert.equal(intent.merchantReference, terms.merchantReference);
      made.set(terms.merchantReference, intent.id);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));

  const listed = new Map<string, string>();
  const direct = new Holdfast({ apiKey: merchant.key, baseUrl: service.apiUrl });
  let count = 0;
  for await (const { id, merchantReference } of direct.paymentIntents.list({ limit: 100 })) {
    count++;
    listed.set(merchantReference, id);
  }
  assert.equal(count, creates, "an intent for each call");
  assert.deepEqual(listed, made, "that which the call returned");

  const bodies = new Map<string, string>();
  const keys = new Map<string, string>();
  for (const { key, body } of network.passed) {
    assert.ok(key !== undefined);
    assert.equal(bodies.get(key) ?? body, body, "one body for a key");
    assert.equal(keys.get(body) ?? key, key, "one key for a call");
    bodies.set(key, body);
    keys.set(body, key);
  }
  assert.equal(bodies.size, creates);
  for (const [fault] of FAULTS)
    assert.ok(
      network.passed.some((one) => one.fault === fault),
      `the fault ${fault} occurred`,
    );
  const { length } = network.passed;
  return {
    creates,
    requests: length,
    repeats: length - creates,
    "calls that failed and were made again": failures.length,
  };
}
