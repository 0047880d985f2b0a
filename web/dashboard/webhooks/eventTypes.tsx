import { Select } from "@holdfast/ui/field.tsx";
import { useState } from "react";
import type { WebhookEndpoint } from "../api/schema.ts";

type EventType = Exclude<WebhookEndpoint["eventTypes"][number], "*">;

/** All event types, each once: a type that the API has and this list has not does not compile. */
const KNOWN: Readonly<Record<EventType, true>> = {
  "payment_intent.created": true,
  "payment_intent.paid": true,
  "payment_intent.paid_late": true,
  "payment_intent.duplicate_payment": true,
  "payment_intent.payment_mismatch": true,
  "payment_intent.expired": true,
  "payment_intent.canceled": true,
  "payment.protected": true,
  "payment.disputed": true,
  "payment.released": true,
  "payment.refunded": true,
  "payment.partially_refunded": true,
  "payment.decided": true,
  "payment.settleable": true,
  "payment.reverted": true,
  "webhook_endpoint.disabled": true,
  "events.restored": true,
};
export const EVENT_TYPES: readonly string[] = Object.keys(KNOWN);

/** The types that were chosen in a form with {@link TypesField}. */
export const chosenTypes = (values: Readonly<Record<string, string>>): string[] =>
  values.eventTypes === "some" ? EVENT_TYPES.filter((type) => values[`type:${type}`] === "on") : ["*"];

/** Which events an endpoint gets: all of them, those added later too, or some. */
export function TypesField({ chosen, error }: { readonly chosen: readonly string[]; readonly error: string | null }) {
  const [which, setWhich] = useState(chosen.includes("*") ? "all" : "some");
  return (
    <div className="grid gap-3">
      <Select
        label="Events"
        name="eventTypes"
        value={which}
        onChange={({ target }) => setWhich(target.value)}
        options={[
          ["all", "All, those added later too"],
          ["some", "Only some"],
        ]}
        error={error}
      />
      {which === "all" ? null : (
        <fieldset className="grid gap-1 border-0 p-0">
          <legend className="sr-only">Event types</legend>
          {EVENT_TYPES.map((type) => (
            <label key={type} className="flex items-center gap-2">
              <input type="checkbox" name={`type:${type}`} defaultChecked={chosen.includes(type)} />
              <code className="text-small">{type}</code>
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}
