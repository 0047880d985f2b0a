// What every runtime has to do alike. It uses nothing but the platform, and is bundled with the package as it is published.
import * as sdk from "@holdfast/sdk";
import { verifyWebhook, WebhookError } from "@holdfast/sdk/webhooks";
import type { Vector } from "./vectors.ts";

/** The outcome of each check by its name, to be compared between runtimes. */
export type Outcomes = Readonly<Record<string, unknown>>;

const headersOf = ({ headers, form }: Vector) => {
  if (form === "record") return headers;
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one] as [string, string]),
  );
  const made = new Headers(entries);
  return form === "headers"
    ? made
    : new Request("https://shop.example/hooks", { method: "POST", headers: made, body: "x" });
};

function bodyOf({ body }: Vector): string {
  if ("text" in body) return body.text;
  if ("object" in body) return body.object as unknown as string;
  return Uint8Array.from(atob(body.bytes), (one) => one.charCodeAt(0)) as unknown as string;
}

async function check(vector: Vector): Promise<string> {
  const { secrets, nowSeconds, toleranceSeconds } = vector;
  const options = { now: new Date(nowSeconds * 1000), ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }) };
  try {
    const event = await verifyWebhook(bodyOf(vector), headersOf(vector), secrets, options);
    return event.object === "event" ? "ok" : "no event";
  } catch (error) {
    return error instanceof WebhookError ? error.reason : String(error);
  }
}

export async function checkVectors(vectors: readonly Vector[]): Promise<Outcomes> {
  const outcomes: Record<string, string> = {};
  for (const vector of vectors) outcomes[vector.name] = await check(vector);
  return outcomes;
}

type Answer =
  | {
      readonly status: number;
      readonly json?: unknown;
      readonly text?: string;
      readonly headers?: Record<string, string>;
    }
  | Error;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
  readonly body: string | null;
}

/** A client whose requests get these answers in turn; the last one again and again. */
function clientOf(answers: readonly Answer[], options: Partial<sdk.HoldfastOptions> = {}) {
  const sent: Sent[] = [];
  const waits: (number | null)[] = [];
  const fake = async (input: unknown, init?: RequestInit): Promise<Response> => {
    const headers = new Headers(init?.headers);
    sent.push({
      method: init?.method ?? "GET",
      path: String(input).replace("https://pay.example/api/v1", ""),
      key: headers.get("idempotency-key"),
      body: (init?.body as string | undefined) ?? null,
    });
    const answer = answers[Math.min(sent.length, answers.length) - 1]!;
    if (answer instanceof Error) {
      if (answer.message !== "hang") throw answer;
      // It ignores its signal.
      return new Promise(() => undefined);
    }
    return new Response(answer.text ?? JSON.stringify(answer.json), {
      status: answer.status,
      headers: answer.headers ?? {},
    });
  };
  const client = new sdk.Holdfast({
    apiKey: "sk_test_x",
    baseUrl: "https://pay.example/",
    fetch: fake as typeof fetch,
    onAttempt: ({ waitMs }) => waits.push(waitMs === null ? null : Math.sign(waitMs)),
    ...options,
  });
  return { client, sent, waits };
}

const failure = (status: number, code: string, more: object = {}, headers: Record<string, string> = {}): Answer => ({
  status,
  json: { error: { code, message: "No.", ...more } },
  headers: { "request-id": "req_1", ...headers },
});
const TERMS: sdk.NewPaymentIntent = {
  recipient: "14o8iuu4aCmiFSRK4VQoXFRk9z1Ko1HMAEhFHUPTokqP",
  amount: "5000000",
  asset: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  protectionPeriod: "sevenDays",
  merchantReference: "order-1",
};
const MADE = { status: 201, json: { object: "payment_intent", id: "pi_test_1", fromTheFuture: [1] } } as const;
const QUICK = {
  status: 503,
  json: { error: { code: "unavailable", message: "Later." } },
  headers: { "retry-after": "0" },
} as const;

/** The error of a call, in words that are the same everywhere. */
async function failed(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    await call;
    return "no error";
  } catch (error) {
    if (!(error instanceof sdk.CallError)) return `${(error as Error).name}: ${(error as Error).message}`;
    const { name, attempts, retryable, idempotencyKey } = error;
    const answer =
      error instanceof sdk.ApiError ? { code: error.code, status: error.status, requestId: error.requestId } : {};
    return { class: error.constructor.name, name, attempts, retryable, hasKey: idempotencyKey !== null, ...answer };
  }
}

const sameKeys = (sent: readonly Sent[]): boolean =>
  new Set(sent.map(({ key, body }) => `${key} ${body}`)).size === 1 && sent[0]!.key !== null;

const CHECKS: Readonly<Record<string, () => Promise<unknown>>> = {
  "a create is tried again with one key and one body": async () => {
    const { client, sent } = clientOf([QUICK, new TypeError("fetch failed"), { status: 201, text: "{" }, MADE]);
    const { data, response } = await client.paymentIntents.create(TERMS).withResponse();
    return [data.id, response.attempts, response.status, response.replayed, sent.length, sameKeys(sent)];
  },
  "the caller's key is used": async () => {
    const { client, sent } = clientOf([QUICK, MADE]);
    await client.paymentIntents.create(TERMS, { idempotencyKey: "order-1" });
    return sent.map(({ key }) => key);
  },
  "only a running request is waited for among the 409": async () => {
    const running = clientOf([failure(409, "idempotency_in_progress"), MADE]);
    const taken = clientOf([failure(409, "reference_in_use", { intent: "pi_test_9" })]);
    const conflict = clientOf([failure(409, "idempotency_conflict")]);
    const made = await running.client.paymentIntents.create(TERMS);
    const refused = await taken.client.paymentIntents.create(TERMS).catch((error: unknown) => error);
    return [
      made.id,
      refused instanceof sdk.ReferenceInUseError && refused.intent,
      await failed(conflict.client.paymentIntents.create(TERMS)),
      [running, taken, conflict].map(({ sent }) => sent.length),
    ];
  },
  "a Retry-After of more than a minute is the caller's matter": async () => {
    const { client, waits } = clientOf([failure(429, "rate_limited", {}, { "retry-after": "61" })]);
    return [await failed(client.me.retrieve()), waits];
  },
  "the tries have an end": async () => {
    const { client, waits } = clientOf([QUICK], { maxRetries: 2 });
    return [await failed(client.paymentIntents.create(TERMS)), waits];
  },
  "a proxy's page is an error of its own": async () => {
    const { client } = clientOf([{ status: 502, text: "<html>" }], { maxRetries: 0 });
    return failed(client.me.retrieve());
  },
  "an unknown code is an ApiError": async () => {
    const { client, sent } = clientOf([failure(418, "from_the_future", { more: 1 })]);
    const error = await client.me.retrieve().catch((one: unknown) => one);
    return [await failed(client.me.retrieve()), sdk.isApiError(error), (error as sdk.ApiError).details, sent.length];
  },
  "a call that hangs ends with its key": async () => {
    const { client } = clientOf([new Error("hang")], { attemptTimeoutMs: 20, maxRetries: 1 });
    return failed(client.paymentIntents.create(TERMS));
  },
  "the whole call has an end": async () => {
    const { client } = clientOf([new Error("hang")], { timeoutMs: 30, maxRetries: 50 });
    return failed(client.me.retrieve());
  },
  "a signal ends a call, before and within": async () => {
    const { client, sent } = clientOf([new Error("hang")]);
    const controller = new AbortController();
    const running = failed(client.paymentIntents.create(TERMS, { signal: controller.signal }));
    controller.abort(new Error("enough"));
    return [await running, await failed(client.me.retrieve({ signal: controller.signal })), sent.length];
  },
  "a signature is asked for again only while it may come": async () => {
    const early = failure(409, "signature_unverified", { reason: "not_confirmed", retryable: true });
    const wrong = failure(409, "signature_unverified", { reason: "mismatch", mismatch: ["amount"], retryable: false });
    const first = clientOf([early, { status: 200, json: { object: "confirmation", outcome: "bound" } }], {
      maxRetries: 0,
    });
    const second = clientOf([wrong], { maxRetries: 0 });
    const error = await second.client.paymentIntents
      .confirm("pi_1", { signature: "x" }, { waitMs: 5_000 })
      .catch((one: unknown) => one);
    return [
      (await first.client.paymentIntents.confirm("pi_1", { signature: "x" }, { waitMs: 5_000 })).outcome,
      error instanceof sdk.SignatureUnverifiedError && [error.reason, error.mismatch],
      second.sent.length,
    ];
  },
  "pages are walked both ways": async () => {
    const page = (ids: readonly number[], hasMore: boolean): Answer => ({
      status: 200,
      json: { object: "list", data: ids.map((id) => ({ id: `pi_${id}` })), hasMore },
    });
    const older = clientOf([page([5, 4], true), page([3], false)]);
    const newer = clientOf([page([2, 1], true), page([4, 3], false)]);
    const down: string[] = [];
    for await (const { id } of older.client.paymentIntents.list({ limit: 2, createdAfter: new Date(0) })) down.push(id);
    const up = await newer.client.paymentIntents.list({ endingBefore: "pi_0" }).toArray({ limit: 3 });
    return [down, up.map(({ id }) => id), older.sent.map(({ path }) => path), newer.sent.map(({ path }) => path)];
  },
  "events come once, in order, of any type, until the signal": async () => {
    const event = (sequence: number, type = "payment.protected") => ({
      id: `evt_${sequence}`,
      sequence: String(sequence),
      type,
    });
    const page = (data: object[], last: number, hasMore = false): Answer => ({
      status: 200,
      json: { object: "list", data, hasMore, oldestSequence: "1", lastSequence: String(last) },
    });
    const { client, sent } = clientOf([
      page([event(4, "from.the_future"), event(3)], 6, true),
      QUICK,
      page([event(6), event(5), event(4)], 6),
      new Error("hang"),
    ]);
    const controller = new AbortController();
    const stream = client.events.follow({ after: "2", signal: controller.signal });
    const seen: string[] = [];
    for await (const { sequence, type } of stream) {
      seen.push(`${sequence} ${type}`);
      if (sequence === "6") setTimeout(() => controller.abort(), 20);
    }
    return [seen, stream.position, sent.map(({ path }) => path)];
  },
  "a filtered reader moves on with others' events, and hears of a restore": async () => {
    const { client, sent } = clientOf([
      { status: 200, json: { object: "list", data: [], hasMore: false, oldestSequence: "1", lastSequence: "9" } },
      new Error("hang"),
    ]);
    const stream = client.events.follow({ after: "2", types: "payment.*", signal: AbortSignal.timeout(2_500) });
    for await (const _ of stream) return "an event";
    return [stream.position, sent.map(({ path }) => path)];
  },
  "deleted events, and a position above the newest, are errors": async () => {
    const follow = async (after: string, page: object) => {
      const { client } = clientOf([{ status: 200, json: { object: "list", data: [], hasMore: false, ...page } }]);
      try {
        for await (const _ of client.events.follow({ after })) return "an event";
        return "the end";
      } catch (error) {
        return (error as Error).name;
      }
    };
    return [
      await follow("2", { oldestSequence: "9", lastSequence: "12" }),
      await follow("2", { oldestSequence: null, lastSequence: "12" }),
      await follow("20", { oldestSequence: "9", lastSequence: "12" }),
      await follow("2", { data: [{ id: "evt_9", sequence: "9" }] }),
    ];
  },
  "an id is no path": async () => {
    const { client, sent } = clientOf([MADE]);
    const tries = ["", "..", "a/b", "pi_1?x", "%2e"].map(async (id) => client.paymentIntents.retrieve(id));
    const all = await Promise.allSettled(tries);
    return [all.map(({ status }) => status), sent.length];
  },
  "the client shows no key": async () => {
    const { client } = clientOf([MADE]);
    return JSON.stringify([client, Object.entries(client)]).includes("sk_test_x");
  },
  amounts: async () => [
    ["24500000", "0", "1", "18446744073709551615"].map((amount) => sdk.toDecimal(amount, 6)),
    [sdk.toDecimal("5", 0), sdk.fromDecimal("24.50", 6), sdk.fromDecimal("0.000001", 6), sdk.fromDecimal("7", 0)],
    ["1e3", "-1", "1.2345678", "", ".5", "1.", "18446744073710"].map((text) => {
      try {
        return sdk.fromDecimal(text, 6);
      } catch (error) {
        return (error as Error).name;
      }
    }),
  ],
};

export async function checkClient(): Promise<Outcomes> {
  const outcomes: Record<string, unknown> = {};
  for (const [name, run] of Object.entries(CHECKS)) outcomes[name] = await run();
  return outcomes;
}
