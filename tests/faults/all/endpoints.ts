import { Webhook } from "standardwebhooks";
import { insertEndpoint, markEnabled } from "../../../server/features/webhooks/endpoints/queries.ts";
import type { KeyRing } from "../../../server/features/webhooks/sending/secret.ts";
import type { Database } from "../../../server/store/database.ts";
import { sql } from "../../../server/store/sql.ts";
import { eventually } from "../../harness/wait.ts";
import type { Answer } from "../../harness/webhookReceiver.ts";

/** What a hostile receiver does with a request in place of an answer. */
export const HOSTILITIES = {
  "500": (response) => void response.writeHead(500).end(),
  "a redirect": (response) => void response.writeHead(302, { location: "http://169.254.169.254/" }).end(),
  "a reset": (response) => void response.socket?.destroy(),
  "no answer": () => undefined,
  "a body without an end": (response) => void response.writeHead(500).write("x"),
} as const satisfies Record<string, (response: Parameters<Answer>[1]) => void>;
export type Hostility = keyof typeof HOSTILITIES;

/** Two receivers of all events, of which one can become hostile; they remember what they acknowledged. */
export class Endpoints {
  hostility: Hostility | null = null;
  deliveries = 0;
  unsigned = 0;
  readonly #ring: KeyRing;
  readonly #hostile: string;
  readonly #secrets = new Map<string, Webhook>();
  readonly #taken = new Map<string, Map<string, number>>();
  readonly #endpoints: { readonly id: string; readonly businessId: string }[] = [];

  constructor(ring: KeyRing, hostile: string) {
    this.#ring = ring;
    this.#hostile = hostile;
  }

  async add(database: Database, businessId: string, host: string): Promise<void> {
    const tenant = { businessId, environment: "test" } as const;
    const issued = await insertEndpoint(database, this.#ring, tenant, { url: `https://${host}/`, eventTypes: null });
    this.#endpoints.push({ id: issued!.endpoint.id, businessId });
    this.#secrets.set(host, new Webhook(issued!.secret));
    this.#taken.set(host, new Map());
  }

  answer: Answer = ({ headers, body }, response) => {
    const host = String(headers.host);
    if (host === this.#hostile && this.hostility !== null) return HOSTILITIES[this.hostility](response);
    try {
      this.#secrets.get(host)!.verify(body, headers as Record<string, string>);
    } catch {
      this.unsigned++;
    }
    const taken = this.#taken.get(host)!;
    const id = String(headers["service-event-id"]);
    taken.set(id, (taken.get(id) ?? 0) + 1);
    this.deliveries++;
    response.end("ok");
  };

  /** Makes all that waits due, as hours later, until everything is delivered. */
  async drain(database: Database): Promise<void> {
    this.hostility = null;
    await eventually("every event is delivered", async () => {
      for (const endpoint of this.#endpoints) await database.transaction((db) => markEnabled(db, endpoint));
      await database.rows(sql`update webhook_queue set due_at = now() where lease_token is null and due_at > now()`);
      return !(await database.has(sql`select true from webhook_queue limit 1`));
    });
  }

  /** The ids that a receiver lacks, and the deliveries that came again. */
  judge(ids: readonly string[]): { readonly lost: string[]; readonly repeated: number } {
    const lost = [...this.#taken].flatMap(([host, taken]) =>
      ids.filter((id) => !taken.has(id)).map((id) => `${id} never came to ${host}`),
    );
    return { lost, repeated: this.deliveries - [...this.#taken.values()].reduce((sum, { size }) => sum + size, 0) };
  }
}
