import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { newMerchant, someTerms } from "../harness/merchant.ts";
import { type RunningService, sharedService } from "../harness/service.ts";

let service: RunningService;
before(async () => {
  service = await sharedService();
});
after(() => service?.remove());

/** A request of a sequence. There are few keys and few references, so that they meet. */
interface Request {
  readonly key: number | null;
  readonly reference: number;
  readonly amount: string;
}

const requests = fc.array(
  fc.record<Request>({
    key: fc.option(fc.nat({ max: 3 })),
    reference: fc.nat({ max: 3 }),
    amount: fc.constantFrom("1", "2", "0"),
  }),
  { minLength: 5, maxLength: 25 },
);

/** Predicts the answer by §4.8 and §4.1, without a database: kept answers by key, open references. */
class Model {
  readonly #kept = new Map<number, { request: string; answer: string }>();
  readonly #open = new Set<number>();

  answer({ key, reference, amount }: Request): string {
    const request = `${reference} ${amount}`;
    const kept = key === null ? undefined : this.#kept.get(key);
    if (kept !== undefined) return kept.request === request ? `replay of ${kept.answer}` : "idempotency_conflict";
    const answer = amount === "0" ? "invalid_request" : this.#open.has(reference) ? "reference_in_use" : "made";
    if (answer === "made") this.#open.add(reference);
    if (key !== null) this.#kept.set(key, { request, answer });
    return answer;
  }
}

test("§4.8 any sequence of creates with and without keys ends as the model says", async () => {
  await fc.assert(
    fc.asyncProperty(requests, async (sequence) => {
      const merchant = await newMerchant(service);
      const model = new Model();
      let made = 0;
      for (const request of sequence) {
        const terms = someTerms(service, { merchantReference: `r${request.reference}`, amount: request.amount });
        const headers: [string, string][] = request.key === null ? [] : [["Idempotency-Key", `k${request.key}`]];
        const answer = await merchant.call("POST", "/payment-intents", terms, headers);
        const outcome = answer.status === 201 ? "made" : answer.json.error.code;
        const replayed = answer.headers["idempotent-replayed"] === "true";
        if (outcome === "made" && !replayed) made++;
        assert.equal(replayed ? `replay of ${outcome}` : outcome, model.answer(request));
      }
      const list = await merchant.get("/payment-intents?limit=100");
      assert.equal(list.json.data.length, made);
    }),
    { numRuns: 40 },
  );
});
