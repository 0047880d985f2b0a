import { Button } from "@holdfast/ui/button.tsx";
import { Select, TextField } from "@holdfast/ui/field.tsx";
import { type FormEvent, useState } from "react";
import type { ListId } from "../api/client.ts";
import { FILTERS } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import type { FilterName, FilterOptions, FilterTexts, FilterValues, Labels, Options } from "./listFilters.ts";

const isWide = (): boolean => matchMedia("(min-width: 900px)").matches;

/** The filters of a list. The chosen values go into the address, and the fields follow the address. */
export function Filters<Id extends ListId>({
  list,
  labels,
  options,
  values,
  onChange,
}: {
  readonly list: Id;
  readonly labels: FilterTexts<Id>;
  readonly options: FilterOptions<Id>;
  readonly values: FilterValues;
  readonly onChange: (values: FilterValues) => void;
}) {
  const count = Object.values(values).filter((value) => value !== undefined).length;
  // On a narrow screen the fields would take the place of the list, so they are folded at first.
  const [isOpen, setOpen] = useState(() => count > 0 && isWide());
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)].map(
      ([name, value]) =>
        [name, addressValue(FILTERS[list][name as FilterName<Id>] as AnyFilter, String(value))] as const,
    );
    if (!isWide()) setOpen(false);
    onChange(Object.fromEntries(entries.filter(([, value]) => value !== "")));
  };
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="inline-flex cursor-pointer items-center gap-2 rounded-small border border-line bg-card px-3 py-[7px] font-medium hover:bg-hover">
        {texts.pages.filters(count)}
      </summary>
      <form
        key={JSON.stringify(values)}
        onSubmit={submit}
        className="grid grid-cols-3 items-end gap-3 pt-3 max-md:grid-cols-1"
      >
        {(Object.keys(labels) as FilterName<Id>[]).map((name) => (
          <FilterField
            key={name}
            name={name}
            filter={FILTERS[list][name] as AnyFilter}
            given={labels[name]}
            options={options[name]}
            value={values[name] ?? ""}
          />
        ))}
        <div className="flex flex-wrap gap-2">
          <Button type="submit">{texts.pages.apply}</Button>
          {count > 0 ? (
            <Button kind="quiet" onClick={() => onChange({})}>
              {texts.pages.clearFilters}
            </Button>
          ) : null}
        </div>
      </form>
    </details>
  );
}

const DAY = /^\d{4}-\d\d-\d\d$/;
/** The value of a field in the address. A day is its first moment in the reader's zone. */
function addressValue({ kind }: AnyFilter, text: string): string {
  const value = text.trim();
  if (kind !== "time" || !DAY.test(value)) return value;
  const at = new Date(`${value}T00:00:00`);
  return Number.isNaN(at.getTime()) ? value : at.toISOString();
}

interface AnyFilter {
  readonly kind: "text" | "number" | "time" | "flag" | "choice";
  readonly choices?: readonly string[];
}
type AnyLabels = Labels & { readonly choices?: Readonly<Record<string, string>> };

const FLAGS = ["true", "false"] as const;
const PLACEHOLDERS: Readonly<Record<string, string>> = { time: "2026-11-20" };

function FilterField({
  name,
  filter,
  given,
  options,
  value,
}: {
  readonly name: string;
  readonly filter: AnyFilter;
  readonly given: string | AnyLabels;
  readonly options: Options | undefined;
  readonly value: string;
}) {
  const { choices, ...labels }: AnyLabels = typeof given === "string" ? { label: given } : given;
  const declared = filter.kind === "flag" ? FLAGS : filter.choices;
  const chosen = options ?? declared?.map((choice) => [choice, choices?.[choice] ?? choice] as const);
  return chosen === undefined ? (
    <TextField
      placeholder={PLACEHOLDERS[filter.kind]}
      inputMode={filter.kind === "number" ? "numeric" : undefined}
      {...labels}
      name={name}
      defaultValue={value}
    />
  ) : (
    // A new key after the options arrive: a new select shows the value.
    <Select
      key={chosen.length}
      {...labels}
      name={name}
      defaultValue={value}
      options={[["", texts.pages.any], ...chosen]}
    />
  );
}
