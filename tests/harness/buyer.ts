import assert from "node:assert/strict";
import { checkBuyerAnswer } from "./buyerDocument.ts";
import { type Answer, exchange, type Request } from "./http.ts";
import { untilTaken, type Wire } from "./merchant.ts";
import type { RunningService } from "./service.ts";

type Headers = Request["headers"];

/** The headers of the checkout's page: the browser says that the request is from the same site. */
const FROM_PAGE: Headers = [["Sec-Fetch-Site", "same-origin"]];

let requests = 0;
/** Returns the header of a network that no other request comes from: limits are per network where the service reads this header. */
const someNetwork = (): readonly [string, string] => {
  requests++;
  return ["X-Forwarded-For", `10.${requests >> 16}.${(requests >> 8) & 255}.${requests & 255}`];
};

/** Sends a request of the checkout below an intent's page, like the page's script. */
export const askCheckout = (
  service: Pick<RunningService, "checkoutUrl">,
  intent: { readonly id: string },
  path: "build" | "submit" | "seen" | "life" | "request",
  body: unknown,
  headers: Headers = FROM_PAGE,
): Promise<Answer> =>
  checked(`/pay/i/${intent.id}/${path}`, service, {
    headers: [["Content-Type", "application/json"], someNetwork(), ...(headers ?? [])],
    body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
  });

/** Sends a request whose answer has to be what its declaration says. */
async function checked(
  path: string,
  { checkoutUrl }: Pick<RunningService, "checkoutUrl">,
  request: Request,
): Promise<Answer> {
  const answer = await exchange("POST", `${checkoutUrl}${path}`, request);
  checkBuyerAnswer("POST", path, answer);
  return answer;
}

/** Has the checkout build a transaction for the account; fails if it refuses. A slow machine's chain may be late: it asks again. */
export async function buildFor(
  service: Pick<RunningService, "checkoutUrl">,
  intent: { readonly id: string },
  account: string,
): Promise<Wire> {
  const answer = await untilTaken(() => askCheckout(service, intent, "build", { account }));
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** Sends a request of a receipt's page about the payment at an address. */
export const askPayment = (
  service: Pick<RunningService, "checkoutUrl">,
  payment: string,
  path: "build" | "submit" | "life",
  body: unknown,
  headers: Headers = FROM_PAGE,
): Promise<Answer> =>
  checked(`/pay/p/${payment}/${path}`, service, {
    headers: [["Content-Type", "application/json"], someNetwork(), ...(headers ?? [])],
    body: JSON.stringify(body),
  });

/** Has an action on a payment built; fails if it is refused. */
export async function buildAction(
  service: Pick<RunningService, "checkoutUrl">,
  payment: string,
  asked: { readonly action: string; readonly account: string; readonly total?: string; readonly sponsored?: boolean },
): Promise<Wire> {
  const answer = await askPayment(service, payment, "build", asked);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** The longest message that a wallet can show. */
const MESSAGE_CHARACTERS_MAX = 80;

/** Asserts a refusal of the checkout, and returns it. */
export function assertRefused(answer: Answer, status: number, code: string): Wire {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers["content-type"], "application/json; charset=utf-8");
  assert.deepEqual(Object.keys(answer.json), ["error"]);
  const { error } = answer.json;
  assert.equal(error.code, code, answer.text);
  assert.ok(error.message.length > 0 && error.message.length <= MESSAGE_CHARACTERS_MAX, error.message);
  return error;
}
