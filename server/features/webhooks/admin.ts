import type { AdminVerb } from "../../edge/admin.ts";
import type { Database } from "../../store/database.ts";
import { deliveries, replay, resend, test } from "./delivery/admin.ts";
import { add, disable, enable, list, remove, roll, update } from "./endpoints/admin.ts";
import type { KeyRing } from "./sending/secret.ts";

/** The commands `npm run admin -- webhook …`. */
export function webhookVerbs(loadRing: (database: Database) => Promise<KeyRing>): readonly AdminVerb[] {
  const text = { type: "string" } as const;
  const verb = (
    word: string,
    takes: string,
    does: string,
    options: AdminVerb["options"],
    run: AdminVerb["run"],
  ): AdminVerb => ({ usage: `webhook ${word} ${takes}`, does, options, run });
  return [
    verb(
      "add",
      "<business id> --url <https://…> [--types all|a,b] [--environment test|live]",
      "Adds an endpoint and shows its signing secret once.",
      { url: text, types: text, environment: text },
      async (call) => add(call, await loadRing(call.database)),
    ),
    verb("list", "<business id>", "Lists the endpoints of a business.", {}, list),
    verb(
      "update",
      "<endpoint id> [--url <https://…>] [--types all|a,b]",
      "Changes the URL or the event types. The secret, pending deliveries and the failure count stay.",
      { url: text, types: text },
      update,
    ),
    verb(
      "roll",
      "<endpoint id> [--grace none|1h|24h]",
      "Issues a new signing secret. The old one stays valid for the grace period (default 24h).",
      { grace: text },
      async (call) => roll(call, await loadRing(call.database)),
    ),
    verb("enable", "<endpoint id>", "Enables an endpoint and sends the events that were held for it.", {}, enable),
    verb("disable", "<endpoint id>", "Disables an endpoint. Its events are held.", {}, disable),
    verb("delete", "<endpoint id>", "Deletes an endpoint and its pending deliveries.", {}, remove),
    verb("test", "<endpoint id>", "Sends a webhook.test event and shows the result.", {}, test),
    verb(
      "deliveries",
      "<endpoint id> [--status pending|succeeded|abandoned] [--event <event id>] [--limit N]",
      "Lists deliveries with their attempts, newest event first.",
      { status: text, event: text, limit: text },
      deliveries,
    ),
    verb(
      "resend",
      "<endpoint id> --event <event id> | --object <intent id or payment address>",
      "Sends one event again, or all events of one object in order.",
      { event: text, object: text },
      resend,
    ),
    verb(
      "replay",
      "<endpoint id> --since <time> | --after-sequence <n>",
      "Sends all events since then that the endpoint subscribes to, at most 100,000, and says where to continue.",
      { since: text, "after-sequence": text },
      replay,
    ),
  ];
}
