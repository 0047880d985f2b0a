import { Notice } from "@holdfast/ui/badge.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { useQuery } from "@tanstack/react-query";
import { read, write } from "../api/queries.ts";
import type { DisputeLetters } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { Form } from "../forms/form.tsx";
import { Section } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";

const KINDS = ["opened", "turn", "due_soon", "offer", "closed"] as const;

/** §13.20.8: the emails about disputes that the user gets, by business. */
export function Letters() {
  const letters = useQuery(read("listDisputeLetters", {}));
  return (
    <QueryState query={letters}>
      {({ data }) =>
        data.length === 0 ? (
          <EmptyState title={texts.account.letters.emptyTitle}>{texts.account.letters.emptyText}</EmptyState>
        ) : (
          <div className="grid max-w-text gap-6">
            {data[0]!.byMail ? null : <Notice tone="wait">{texts.account.letters.none}</Notice>}
            {data.map((one) => (
              <BusinessLetters key={one.businessId} letters={one} />
            ))}
          </div>
        )
      }
    </QueryState>
  );
}

function BusinessLetters({ letters: { businessId, business, kinds } }: { readonly letters: DisputeLetters }) {
  const save = async (values: Readonly<Record<string, string>>) => {
    const has = (kind: (typeof KINDS)[number]) => kind in values;
    const body = {
      opened: has("opened"),
      turn: has("turn"),
      due_soon: has("due_soon"),
      offer: has("offer"),
      closed: has("closed"),
    };
    await write("chooseDisputeLetters", { path: { business: businessId }, body });
    showToast(texts.account.letters.saved);
  };
  const title = texts.account.letters.title(business);
  return (
    <Section title={title} text={texts.account.letters.text}>
      <Form submitText={texts.account.letters.save} onSubmit={save}>
        <fieldset className="grid gap-2 border-0 p-0">
          <legend className="sr-only">{title}</legend>
          {KINDS.map((kind) => (
            <label key={kind} className="flex items-center gap-2">
              <input type="checkbox" name={kind} defaultChecked={kinds.includes(kind)} />
              {texts.account.letters.kinds[kind]}
            </label>
          ))}
        </fieldset>
      </Form>
    </Section>
  );
}
