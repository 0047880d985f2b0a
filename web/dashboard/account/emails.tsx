import { Notice } from "@holdfast/ui/badge.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { useQuery } from "@tanstack/react-query";
import { read, write } from "../api/queries.ts";
import type { DisputeEmails } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { Form } from "../forms/form.tsx";
import { Section } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";

const KINDS = ["opened", "turn", "due_soon", "offer", "closed"] as const;

/** §13.20.8: the emails about disputes that the user gets, by business. */
export function Emails() {
  const emails = useQuery(read("listDisputeEmails", {}));
  return (
    <QueryState query={emails}>
      {({ data }) =>
        data.length === 0 ? (
          <EmptyState title={texts.account.emails.emptyTitle}>{texts.account.emails.emptyText}</EmptyState>
        ) : (
          <div className="grid max-w-text gap-6">
            {data[0]!.byEmail ? null : <Notice tone="wait">{texts.account.emails.none}</Notice>}
            {data.map((one) => (
              <BusinessEmails key={one.businessId} emails={one} />
            ))}
          </div>
        )
      }
    </QueryState>
  );
}

function BusinessEmails({ emails: { businessId, business, kinds } }: { readonly emails: DisputeEmails }) {
  const save = async (values: Readonly<Record<string, string>>) => {
    const has = (kind: (typeof KINDS)[number]) => kind in values;
    const body = {
      opened: has("opened"),
      turn: has("turn"),
      due_soon: has("due_soon"),
      offer: has("offer"),
      closed: has("closed"),
    };
    await write("chooseDisputeEmails", { path: { business: businessId }, body });
    showToast(texts.account.emails.saved);
  };
  const title = texts.account.emails.title(business);
  return (
    <Section title={title} text={texts.account.emails.text}>
      <Form submitText={texts.account.emails.save} onSubmit={save}>
        <fieldset className="grid gap-2 border-0 p-0">
          <legend className="sr-only">{title}</legend>
          {KINDS.map((kind) => (
            <label key={kind} className="flex items-center gap-2">
              <input type="checkbox" name={kind} defaultChecked={kinds.includes(kind)} />
              {texts.account.emails.kinds[kind]}
            </label>
          ))}
        </fieldset>
      </Form>
    </Section>
  );
}
