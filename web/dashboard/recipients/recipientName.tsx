import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read } from "../api/queries.ts";
import { useTenant } from "../shell/tenant.ts";

/** A wallet that was paid, by its label where the business keeps it under one, and always with its address. */
export function RecipientName({ address }: { readonly address: string }) {
  const { path } = useTenant();
  const recipients = useQuery(read("listRecipients", { path }));
  const kept = recipients.data?.data.find(({ id }) => id === address);
  return (
    <span className="grid">
      {kept === undefined ? null : <span className="break-words font-medium">{kept.label}</span>}
      <code className="break-all">{address}</code>
      {recipients.data === undefined || kept !== undefined ? null : (
        <span className="text-small text-soft">
          This wallet is not one of your saved{" "}
          <Link className="underline" to="/$business/$environment/recipients" params={path}>
            recipients
          </Link>
          .
        </span>
      )}
    </span>
  );
}
