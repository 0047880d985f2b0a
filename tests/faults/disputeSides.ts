import { ApiError } from "../../server/domain/errors.ts";
import {
  type Act,
  acceptOffer,
  actIn,
  askArbiter,
  endOffer,
  makeOffer,
  sendStatement,
} from "../../server/features/disputes/actions.ts";
import { type Dispute, otherSide, type Side } from "../../server/features/disputes/dispute.ts";
import type { Database } from "../../server/store/database.ts";
import { sql } from "../../server/store/sql.ts";
import { DatabaseUnavailableError } from "../../server/store/unavailable.ts";
import type { Random } from "./random.ts";

/** A message of another process about a statement: before it is sent, and once it was answered with success. */
export interface Spoken {
  readonly kind: "sending" | "sent";
  readonly text: string;
}

interface SidesDeps {
  readonly database: Database;
  readonly business: string;
}

/** Reads once more where the connection was one of those that the test has cut. */
const again = <Value>(read: () => Promise<Value>): Promise<Value> =>
  read().catch((error: unknown) => {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
    return read();
  });

/** Both sides of all disputes of a business, who act at random. */
export class Sides {
  /** Texts of statements whose sending was answered with success, and with nothing. */
  readonly sent: string[] = [];
  readonly unknown: string[] = [];
  readonly #deps: SidesDeps;
  readonly #random: Random;
  readonly #counts: Record<string, number>;
  /** Begins each text, so that no two processes send the same. */
  readonly #name: string;
  readonly #onSpoken: (spoken: Spoken) => Promise<void>;
  #texts = 0;

  constructor(
    deps: SidesDeps,
    random: Random,
    counts: Record<string, number>,
    {
      name = "",
      onSpoken = async () => undefined,
    }: { name?: string; onSpoken?: (spoken: Spoken) => Promise<void> } = {},
  ) {
    this.#deps = deps;
    this.#random = random;
    this.#counts = counts;
    this.#name = name;
    this.#onSpoken = onSpoken;
  }

  #count(what: string): void {
    this.#counts[what] = (this.#counts[what] ?? 0) + 1;
  }

  /** Acts so many times at once on one dispute, while something else happens. Returns false if there is none. */
  async speak(times: number, meanwhile: () => Promise<void> = async () => undefined): Promise<boolean> {
    const { database, business } = this.#deps;
    const rows = await again(() => database.rows<{ id: string }>(sql`select id from disputes order by id`));
    if (rows.length === 0) return false;
    const { id } = this.#random.pick(rows as [{ id: string }]);
    const offers = await again(() =>
      database.rows<{ id: string; side: Side }>(sql`
        select id, side from dispute_offers where dispute_id = ${id} order by number desc limit 2`),
    );
    const tenant = { businessId: business, environment: "test" } as const;
    const running = Array.from({ length: times }, async () => {
      const { act, text } = this.#draftAct(offers);
      if (text !== null) await this.#onSpoken({ kind: "sending", text });
      try {
        await database.transaction((db) => actIn(db, tenant, id, act));
        this.#count("acts");
        if (text === null) return;
        this.sent.push(text);
        await this.#onSpoken({ kind: "sent", text });
      } catch (error) {
        if (error instanceof ApiError && error.code === "dispute_changed") return this.#count("refused");
        this.#count("lost answers");
        if (text !== null) this.unknown.push(text);
      }
    });
    await Promise.all([...running, meanwhile()]);
    return true;
  }

  #draftAct(offers: readonly { id: string; side: Side }[]): {
    readonly act: (dispute: Dispute, now: Date) => Act;
    readonly text: string | null;
  } {
    const random = this.#random;
    const side = random.pick(["buyer", "merchant"] as const);
    const by =
      side === "buyer"
        ? ({ author: "wallet", authorKind: "wallet" } as const)
        : ({ author: "someone", authorKind: "user" } as const);
    const offer = offers.length === 0 ? null : random.pick(offers as [{ id: string; side: Side }]);
    const kind = random.pick(["statement", "offer", "accept", "end", "arbiter"] as const);
    if (kind === "offer") {
      const wanted = { total: String(random.whole(0, 3)), text: random.pick([null, "An offer."]), until: null };
      const signed = side === "buyer" ? { signedText: "text", signature: "signature" } : null;
      return { act: makeOffer(side, by, wanted, signed), text: null };
    }
    if (kind === "arbiter" && random.chance(0.3)) return { act: askArbiter(side), text: null };
    if (offer !== null && kind === "accept") {
      const signed = { acceptedText: "text", acceptedSignature: "signature" };
      const acceptor = otherSide(offer.side);
      return { act: acceptOffer(acceptor, offer.id, "someone", acceptor === "buyer" ? signed : null), text: null };
    }
    if (offer !== null && kind === "end")
      return { act: endOffer(random.pick(["offer_withdrawn", "offer_declined"]), side, offer.id), text: null };
    const text = `Statement ${this.#name}${++this.#texts}.`;
    return { act: sendStatement(side, by, text), text };
  }
}
