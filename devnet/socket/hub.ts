import { SYSTEM_PROGRAM_ID } from "@holdfast/escrow-client";
import type { Step } from "../ledger/journal.ts";
import type { Commitment } from "../ledger/slots.ts";
import { type AccountShape, showAccount } from "../rpc/accounts.ts";
import type { View } from "../rpc/view.ts";

/** A subscription. `tell` is called with the notification's result. */
export type Wish =
  | { readonly kind: "slot" }
  | {
      readonly kind: "account";
      readonly commitment: Commitment;
      readonly address: string;
      readonly shape: AccountShape;
    }
  | { readonly kind: "logs"; readonly commitment: Commitment; readonly mentions: string | null }
  | { readonly kind: "signature"; readonly commitment: Commitment; readonly signature: string };

export interface Subscription {
  readonly id: number;
  readonly wish: Wish;
  tell(result: unknown): void;
  /** Called when the subscription has had its last notification. */
  done(): void;
}

type WishOf<K extends Wish["kind"]> = Extract<Wish, { kind: K }>;

/** Turns what happens on the chain into notifications, at the commitment each subscriber asked for. */
export class Hub {
  readonly #view: View;
  readonly #subscriptions = new Map<number, Subscription>();
  #nextId = 1;
  #confirmed: number;
  #finalized: number;

  constructor(view: View) {
    this.#view = view;
    this.#confirmed = view.slotAt("confirmed");
    this.#finalized = view.slotAt("finalized");
    view.ledger.listen({
      landed: (step) => this.#announce([step], "processed", step.entry.slot),
      slot: (tip) => this.#slot(tip),
    });
  }

  add(wish: Wish, on: Pick<Subscription, "tell" | "done">): number {
    const id = this.#nextId++;
    const subscription: Subscription = { id, wish, tell: on.tell, done: on.done };
    this.#subscriptions.set(id, subscription);
    // A subscription that comes too late is notified at once, but after its caller has got the subscription's number.
    if (wish.kind === "signature") setImmediate(() => this.#catchUp(subscription, wish));
    return id;
  }

  remove = (id: number): boolean => this.#subscriptions.delete(id);

  #catchUp(subscription: Subscription, wish: WishOf<"signature">): void {
    const entry = this.#view.entry(wish.signature);
    if (!entry || !this.#subscriptions.has(subscription.id)) return;
    if (entry.slot <= this.#view.slotAt(wish.commitment)) this.#fulfil(subscription, entry.slot, entry.failure);
  }

  #fulfil(subscription: Subscription, slot: number, failure: unknown): void {
    this.#subscriptions.delete(subscription.id);
    subscription.tell(this.#view.withContext(slot, { err: failure }));
    subscription.done();
  }

  #slot(tip: number): void {
    const root = this.#view.slotAt("finalized");
    for (const { wish, tell } of this.#subscriptions.values())
      if (wish.kind === "slot") tell({ slot: tip, parent: this.#view.ledger.slots.blockAt(tip - 1), root });
    const confirmed = this.#view.slotAt("confirmed");
    this.#announce(this.#view.ledger.stepsBetween(this.#confirmed, confirmed), "confirmed", confirmed);
    this.#announce(this.#view.ledger.stepsBetween(this.#finalized, root), "finalized", root);
    this.#confirmed = confirmed;
    this.#finalized = root;
  }

  #announce(steps: readonly Step[], commitment: Commitment, slot: number): void {
    if (steps.length === 0 || this.#subscriptions.size === 0) return;
    for (const subscription of [...this.#subscriptions.values()]) {
      const { wish } = subscription;
      if (wish.kind === "slot" || wish.commitment !== commitment) continue;
      if (wish.kind === "account") this.#announceAccount(subscription, wish, steps, slot);
      else if (wish.kind === "logs") this.#announceLogs(subscription, wish, steps);
      else this.#announceSignature(subscription, wish, steps);
    }
  }

  #announceAccount({ tell }: Subscription, wish: WishOf<"account">, steps: readonly Step[], slot: number): void {
    if (!steps.some((step) => step.after.has(wish.address))) return;
    const image = this.#view.account(wish.address, slot);
    const gone = { lamports: 0n, owner: SYSTEM_PROGRAM_ID, data: new Uint8Array(), executable: false };
    tell(this.#view.withContext(slot, showAccount(this.#view, image ?? gone, wish.shape, slot)));
  }

  #announceLogs({ tell }: Subscription, wish: WishOf<"logs">, steps: readonly Step[]): void {
    for (const { entry, keys, logs } of steps) {
      if (wish.mentions !== null && !keys.includes(wish.mentions)) continue;
      tell(this.#view.withContext(entry.slot, { signature: entry.signature, err: entry.failure, logs }));
    }
  }

  #announceSignature(subscription: Subscription, wish: WishOf<"signature">, steps: readonly Step[]): void {
    const step = steps.find(({ entry }) => entry.signature === wish.signature);
    if (step) this.#fulfil(subscription, step.entry.slot, step.entry.failure);
  }
}
