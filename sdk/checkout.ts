import { type StateRefusedError, StateStream } from "./stateStream.ts";

export { StateRefusedError, StateStream, type StateStreamOptions } from "./stateStream.ts";

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

/** Leads the buyer to the checkout page. */
export function openCheckout(checkoutUrl: string): void {
  (globalThis as unknown as { readonly location: { assign(url: string): void } }).location.assign(checkoutUrl);
}

/**
 * Follows a checkout: the state now, and each one after it, up to a final one. It goes on through outages. Throws
 * {@link StateRefusedError} once the service shows the checkout no more. A page is not a proof of payment: ship by what your
 * server reads.
 */
export async function* followCheckout(
  checkoutUrl: string,
  { signal }: FollowCheckoutOptions = {},
): AsyncGenerator<CheckoutState, void, undefined> {
  const url = checkoutUrl.replace(/[?#].*$/, "").replace(/\/+$/, "");
  let newest: CheckoutState | null = null;
  let shown: CheckoutState | null = null;
  let wake = () => {};
  const onState = (state: CheckoutState) => {
    if (newest === null || isNewer(state, newest)) newest = state;
    wake();
  };
  let refusal: StateRefusedError | null = null;
  const onRefused = (error: StateRefusedError) => {
    refusal = error;
    wake();
  };
  const stream = new StateStream<CheckoutState>({ url, onState, onRefused });
  const onAbort = () => wake();
  signal?.addEventListener("abort", onAbort);
  try {
    stream.open();
    while (!signal?.aborted) {
      if (newest === shown) {
        if (refusal !== null) throw refusal;
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      shown = newest as unknown as CheckoutState;
      yield shown;
      if (shown.final) return;
    }
  } finally {
    signal?.removeEventListener("abort", onAbort);
    stream.close();
  }
}

/** Of two states the newer has the higher version, and of two with the same version the later time. */
const isNewer = (one: CheckoutState, other: CheckoutState): boolean =>
  one.version > other.version || (one.version === other.version && one.at > other.at);
