import assert from "node:assert/strict";
import { admin } from "./admin.ts";
import { type Answer, exchange, type Request } from "./http.ts";
import type { RunningService } from "./service.ts";
import { eventually } from "./wait.ts";

/** The parts of a service that a merchant's server uses. */
type Called = Pick<RunningService, "dataDir" | "apiUrl" | "recipient" | "asset">;

/** Requests a minute for keys of tests that are not about the limit. */
const RATE = 1_000_000;

const WALK_PAGES_MAX = 1_000;

// biome-ignore lint/suspicious/noExplicitAny: an object of the wire, into which tests read.
export type Wire = any;

/** A business with a key, and what its server does with the API. */
export interface Merchant {
  readonly business: string;
  readonly key: string;
  readonly keyId: string;
  /** Sends a request below /api/v1 with the key. A string or bytes as body are sent as they are, anything else as JSON. */
  call(method: string, path: string, body?: unknown, headers?: Request["headers"]): Promise<Answer>;
  get(path: string): Promise<Answer>;
  /** Creates an intent on terms that are fine but for those given, and expects 201. */
  create(terms?: Readonly<Record<string, unknown>>): Promise<Wire>;
  intent(id: string): Promise<Wire>;
  payment(id: string): Promise<Wire>;
  cancel(id: string): Promise<Answer>;
  confirm(id: string, signature: unknown): Promise<Answer>;
  /** Lists all pages, joined. */
  walk(path: string, limit: number): Promise<Wire[]>;
}

export interface NewMerchant {
  readonly rate?: number;
  readonly name?: string;
}

let orders = 0;

/** Terms of a new intent, with a reference of its own. */
export const someTerms = (service: Called, terms: Readonly<Record<string, unknown>> = {}) => ({
  recipient: service.recipient,
  amount: "5000000",
  asset: service.asset,
  protectionPeriod: "sevenDays",
  merchantReference: `order-${++orders}`,
  ...terms,
});

/** A new business on the service, with a test key of its own: its events begin at 1. */
export async function newMerchant(
  service: Called,
  { rate = RATE, name = "Test shop" }: NewMerchant = {},
): Promise<Merchant> {
  const { id: business } = await admin(service, "business", "add", name);
  const { id, secret } = await admin(service, "key", "add", business, "--rate", String(rate));
  return merchantOf(service, business, id, secret);
}

export function merchantOf(
  service: Called,
  business: string,
  keyId: string,
  key: string,
  onAnswer: (answer: Answer) => void = () => undefined,
): Merchant {
  const call: Merchant["call"] = async (method, path, body, headers = []) => {
    const isRaw = typeof body === "string" || body instanceof Uint8Array;
    const sent = body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) };
    const type: Request["headers"] = body === undefined ? [] : [["Content-Type", "application/json"]];
    const answer = await exchange(method, `${service.apiUrl}${path}`, {
      headers: [["Authorization", `Bearer ${key}`], ...type, ...headers],
      ...sent,
    });
    onAnswer(answer);
    return answer;
  };
  const read = async (path: string): Promise<Wire> => {
    const answer = await call("GET", path);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };
  return {
    business,
    key,
    keyId,
    call,
    get: (path) => call("GET", path),
    create: async (terms) => {
      const answer = await call("POST", "/payment-intents", someTerms(service, terms));
      assert.equal(answer.status, 201, answer.text);
      return answer.json;
    },
    intent: (id) => read(`/payment-intents/${id}`),
    payment: (id) => read(`/payments/${id}`),
    cancel: (id) => call("POST", `/payment-intents/${id}/cancel`),
    confirm: (id, signature) => call("POST", `/payment-intents/${id}/confirm`, { signature }),
    walk: async (path, limit) => {
      const items: Wire[] = [];
      for (let [after, pages] = ["", 0]; ; pages++) {
        assert.ok(pages < WALK_PAGES_MAX, "the walk comes to an end");
        const page = await read(`${path}${path.includes("?") ? "&" : "?"}limit=${limit}${after}`);
        if (items.length > 0) assert.notEqual(page.data[0]?.id, items.at(-1)!.id, "a page begins after the last item");
        items.push(...page.data);
        if (!page.hasMore) return items;
        assert.equal(page.data.length, limit);
        after = `&starting_after=${page.data.at(-1).id}`;
      }
    },
  };
}

/**
 * Repeats a request while it is refused for now, as a merchant's server should: a busy machine may be too slow (§7.2.1), and
 * an attempt before may still hold the Idempotency-Key.
 */
export const untilTaken = (request: () => Promise<Answer>): Promise<Answer> =>
  eventually("the request is taken", async () => {
    const answer = await request();
    return answer.status === 503 || answer.json?.error?.code === "idempotency_in_progress" ? null : answer;
  });

/** Asserts an error in its envelope (§7), and returns it. */
export function assertError(answer: Answer, status: number, code: string, param?: string): Wire {
  const said = `${answer.request}\n${answer.text}`;
  assert.equal(answer.status, status, said);
  assert.equal(answer.headers["content-type"], "application/json; charset=utf-8", said);
  assert.deepEqual(Object.keys(answer.json), ["error"], said);
  const { error } = answer.json;
  assert.equal(error.code, code, said);
  assert.equal(error.param, param, said);
  assert.ok(typeof error.message === "string" && error.message.length > 0, said);
  return error;
}
