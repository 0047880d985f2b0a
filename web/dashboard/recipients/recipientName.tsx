import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read } from "../api/queries.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { useTenant } from "../shell/tenant.ts";

/** The address of a paid wallet, below its label if the business has saved it. */
export function RecipientName({ address }: { readonly address: string }) {
  const { path } = useTenant();
  const recipients = useQuery(read("listRecipients", { path }));
  const kept = recipients.data?.data.find(({ id }) => id === address);
  return (
    <span className="grid">
      {kept === undefined ? null : <span className="break-words font-medium">{kept.label}</span>}
      <code translate="no" className="break-all">
        {address}
      </code>
      {recipients.data === undefined || kept !== undefined ? null : (
        <span className="text-small text-soft">
          <Filled
            text={texts.recipients.notSaved}
            slots={{
              recipients: (
                <Link className="underline" to="/$business/$environment/recipients" params={path}>
                  {texts.recipients.notSavedLink}
                </Link>
              ),
            }}
          />
        </span>
      )}
    </span>
  );
}
