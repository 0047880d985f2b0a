import { Button } from "@holdfast/ui/button.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { type FormEvent, type ReactNode, useState } from "react";

type Values = Readonly<Record<string, string | undefined>>;

const isWide = (): boolean => matchMedia("(min-width: 900px)").matches;

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
  const count = Object.values(values).filter((value) => value !== undefined).length;
  // On a narrow screen the fields would stand where the list is, so they are folded away until they are asked for.
  const [isOpen, setOpen] = useState(() => count > 0 && isWide());
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)].map(
      ([name, value]) => [name, String(value).trim()] as const,
    );
    if (!isWide()) setOpen(false);
    onChange(Object.fromEntries(entries.filter(([, value]) => value !== "")));
  };
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="inline-flex cursor-pointer items-center gap-2 rounded-small border border-line bg-card px-3 py-[7px] font-medium hover:bg-hover">
        Filters{count === 0 ? "" : ` (${count})`}
      </summary>
      <form
        key={JSON.stringify(values)}
        onSubmit={submit}
        className="grid grid-cols-3 items-end gap-3 pt-3 max-md:grid-cols-1"
      >
        {children((name) => values[name] ?? "")}
        <div className="flex flex-wrap gap-2">
          <Button type="submit">Show</Button>
          {count > 0 ? (
            <Button kind="quiet" onClick={() => onChange({})}>
              Take all away
            </Button>
          ) : null}
        </div>
      </form>
    </details>
  );
}

/** A bound in time among the {@link Filters}. */
export const TimeFilter = ({
  label,
  name,
  chosen,
}: {
  readonly label: string;
  readonly name: string;
  readonly chosen: (name: string) => string;
}) => <TextField label={label} name={name} placeholder="2026-11-20T08:30:00Z" defaultValue={chosen(name)} />;
