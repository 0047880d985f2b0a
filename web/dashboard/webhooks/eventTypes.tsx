import { Select } from "@holdfast/ui/field.tsx";
import { useState } from "react";
import { EVENT_TEXTS } from "../objects/eventTypes.ts";

export const EVENT_TYPES: readonly string[] = Object.keys(EVENT_TEXTS);

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
