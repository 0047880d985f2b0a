import { Button } from "@holdfast/ui/button.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { useNavigate } from "@tanstack/react-router";
import * as texts from "../catalogue/index.ts";
import { REFERENCE_CHARACTERS_MAX } from "../inspector/find.ts";
import { useFinder } from "../inspector/useFinder.ts";
import { useTenant } from "../shell/tenant.ts";

/** The search of a list: it leads to one payment or intent, or to the list of those that match. */
export function SearchForm() {
  const { business, environment } = useTenant();
  const navigate = useNavigate();
  const { text, change, isBusy, error, find } = useFinder(
    { business: business.id, name: business.name, environment },
    // The list is then empty, says so, and offers to search further or to show all.
    {
      onNothing: (text) =>
        void navigate({ to: ".", search: { reference_part: text.slice(0, REFERENCE_CHARACTERS_MAX) } }),
    },
  );
  return (
    <search>
      <form onSubmit={(event) => void find(event)} className="flex flex-wrap items-end gap-2" noValidate>
        <div className="min-w-0 max-w-text flex-1 basis-[240px]">
          <TextField
            label={texts.paymentLists.search}
            name="text"
            value={text}
            onChange={({ target }) => change(target.value)}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            error={error}
          />
        </div>
        <Button type="submit" isBusy={isBusy}>
          {texts.common.find}
        </Button>
        <p role="status" className="sr-only">
          {error ?? ""}
        </p>
      </form>
    </search>
  );
}
