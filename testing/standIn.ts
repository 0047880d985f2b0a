import { once } from "node:events";
import { createServer } from "node:http";
import type { TestEvent } from "./life.ts";

type Json = Readonly<Record<string, unknown>>;
const OBJECTS_MAX = 10_000;

/** Answers reads of the intents and payments that deliveries name, as the API would: the newest state of each. */
export class StandIn {
  readonly #objects = new Map<string, { readonly sequence: number; readonly object: Json }>();
  readonly #server = createServer((request, response) => {
    const [, id] = /^(?:\/api\/v1)?\/(?:payment-intents|payments)\/(\w+)$/.exec(request.url!) ?? [];
    const found = id === undefined ? undefined : this.#objects.get(id)?.object;
    const answer = found ?? { error: { code: "not_found", message: "The kit has delivered no event of it." } };
    response.writeHead(found === undefined ? 404 : 200, { "Content-Type": "application/json; charset=utf-8" });
    response.end(JSON.stringify(answer));
  });

  async listen(port: number): Promise<void> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Takes over what an event says; one that is not newer changes nothing. */
  record({ sequence, data: { object } }: TestEvent): void {
    const at = Number(sequence ?? 0);
    if (object.object === "payment_intent") this.#keep(object, at);
    const payment = (object.object === "payment" ? object : object.payment) as Json | null | undefined;
    if (payment === null || payment === undefined) return;
    this.#keep(payment, at);
    const intent = this.#objects.get(String(payment.intent));
    if (intent !== undefined && payment.role === "primary" && at > intent.sequence)
      this.#keep({ ...intent.object, payment }, at);
  }

  #keep(object: Json, sequence: number): void {
    const id = String(object.id);
    if (sequence <= (this.#objects.get(id)?.sequence ?? 0)) return;
    if (this.#objects.size >= OBJECTS_MAX) this.#objects.delete(this.#objects.keys().next().value!);
    this.#objects.set(id, { sequence, object });
  }
}
