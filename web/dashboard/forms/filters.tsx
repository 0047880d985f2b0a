import { Button } from "@holdfast/ui/button.tsx";
import { type FormEvent, type ReactNode, useState } from "react";

type Values = Readonly<Record<string, string | undefined>>;

/** The fields that a list is filtered by. What is chosen goes into the URL, and the fields follow the URL. */
export function Filters({
  values,
  onChange,
  children,
}: {
  readonly values: Values;
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
  readonly children: (chosen: (name: string) => string) => ReactNode;
}) {
  const isSet = Object.values(values).some((value) => value !== undefined);
  const [isOpen, setOpen] = useState(isSet);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)].map(
      ([name, value]) => [name, String(value).trim()] as const,
    );
    onChange(Object.fromEntries(entries.filter(([, value]) => value !== "")));
  };
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer font-medium">Filters</summary>
      <form
        key={JSON.stringify(values)}
        onSubmit={submit}
        className="grid grid-cols-3 items-end gap-3 pt-3 max-md:grid-cols-1"
      >
        {children((name) => values[name] ?? "")}
        <div className="flex flex-wrap gap-2">
          <Button type="submit">Show</Button>
          {isSet ? (
            <Button kind="quiet" onClick={() => onChange({})}>
              Take all away
            </Button>
          ) : null}
        </div>
      </form>
    </details>
  );
}
