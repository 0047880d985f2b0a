import { Select } from "@holdfast/ui/field.tsx";
import { useState } from "react";
import * as texts from "../catalogue/index.ts";
import { EVENT_TYPES } from "../objects/eventTypes.ts";

/** The types that were chosen in a form with {@link TypesField}. */
export const chosenTypes = (values: Readonly<Record<string, string>>): string[] =>
  values.eventTypes === "some" ? EVENT_TYPES.filter((type) => values[`type:${type}`] === "on") : ["*"];

/** The events that an endpoint receives: all, including future types, or a selection. */
export function TypesField({ chosen }: { readonly chosen: readonly string[] }) {
  const [which, setWhich] = useState(chosen.includes("*") ? "all" : "some");
  return (
    <div className="grid gap-3">
      <Select
        label={texts.webhooks.events}
        name="eventTypes"
        value={which}
        onChange={({ target }) => setWhich(target.value)}
        options={[
          ["all", texts.webhooks.eventChoices.all],
          ["some", texts.webhooks.eventChoices.some],
        ]}
      />
      {which === "all" ? null : (
        <fieldset className="grid gap-1 border-0 p-0">
          <legend className="sr-only">{texts.webhooks.eventTypes}</legend>
          {EVENT_TYPES.map((type) => (
            <label key={type} className="flex items-center gap-2">
              <input type="checkbox" name={`type:${type}`} defaultChecked={chosen.includes(type)} />
              <code translate="no" className="text-small">
                {type}
              </code>
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}
