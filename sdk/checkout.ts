/** For a shop's page in a browser. It has no key: the checkout's address is all it needs. */

/** The state of a checkout page. A newer service may have states that are not known here. */
export interface CheckoutState {
  readonly object: "checkout_state";
  readonly intent: string;
  readonly state:
    | "waiting"
    | "held"
    | "in_flight"
    | "protected"
    | "settling"
    | "disputed"
    | "decided"
    | "settled"
    | "partly_refunded"
    | "refunded"
    | "expired"
    | "canceled";
  /** True if nothing is left to wait for. */
  readonly final: boolean;
  readonly version: number;
  readonly at: number;
  readonly expiresAt: string;
  readonly inFlight: {
    readonly kind: "built" | "reported" | "sent" | "ended";
    readonly signature: string | null;
    readonly until: string;
  } | null;
}

export interface FollowCheckoutOptions {
  /** Ends the walk. */
  readonly signal?: AbortSignal | undefined;
}

/** The interval of asking for the state, without a stream. */
const POLL_MS = 3_000;
const CLOSED = 2;

/** Leads the buyer to the checkout page. */
export function openCheckout(checkoutUrl: string): void {
  (globalThis as unknown as { readonly location: { assign(url: string): void } }).location.assign(checkoutUrl);
}

/**
 * Follows a checkout: the state now, and each one after it, up to a final one. It goes on through outages. A page is not a
 * proof of payment: ship by what your server reads.
 */
export async function* followCheckout(
  checkoutUrl: string,
  { signal }: FollowCheckoutOptions = {},
): AsyncGenerator<CheckoutState, void, undefined> {
  const url = checkoutUrl.replace(/[?#].*$/, "").replace(/\/+$/, "");
  let newest: CheckoutState | null = null;
  let shown: CheckoutState | null = null;
  let wake = () => {};
  const take = (state: CheckoutState) => {
    if (newest === null || isNewer(state, newest)) newest = state;
    wake();
  };
  let stream: EventSource | null = null;
  const onAbort = () => wake();
  signal?.addEventListener("abort", onAbort);
  try {
    while (!signal?.aborted) {
      if (newest !== shown) {
        shown = newest as unknown as CheckoutState;
        yield shown;
        if (shown.final) return;
        continue;
      }
      if (stream === null || stream.readyState === CLOSED) {
        // A limit of streams was reached, or the service is away: the state is asked for instead.
        if (stream !== null) await fetchState(url).then(take, () => undefined);
        stream = new EventSource(`${url}/events`);
        stream.onmessage = ({ data }: { readonly data: string }) => take(JSON.parse(data) as CheckoutState);
      }
      if (newest === shown) await nextTurn((resolve) => (wake = resolve));
    }
  } finally {
    signal?.removeEventListener("abort", onAbort);
    stream?.close();
  }
}

/** Of two states the newer has the higher version, and of two with the same version the later time. */
const isNewer = (one: CheckoutState, other: CheckoutState): boolean =>
  one.version > other.version || (one.version === other.version && one.at > other.at);

async function fetchState(url: string): Promise<CheckoutState> {
  const response = await fetch(`${url}/state`);
  if (!response.ok) throw new Error(`The state was answered with ${response.status}.`);
  return (await response.json()) as CheckoutState;
}

async function nextTurn(onWake: (resolve: () => void) => void): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await new Promise<void>((resolve) => {
    onWake(resolve);
    timer = setTimeout(resolve, POLL_MS);
  });
  clearTimeout(timer);
}
