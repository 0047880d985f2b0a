import { useQuery } from "@tanstack/react-query";
import { read } from "../api/queries.ts";
import { useTenant } from "../shell/tenant.ts";

/** A wallet that was paid, by its label where the business keeps it under one, and always with its address. */
export function RecipientName({ address }: { readonly address: string }) {
  const { path, isConfigured } = useTenant();
  const recipients = useQuery({ ...read("listRecipients", { path }), enabled: isConfigured });
  const kept = recipients.data?.data.find(({ id }) => id === address);
  return (
    <span className="grid">
      {recipients.data === undefined ? null : kept === undefined ? (
        <span className="text-small text-soft">Not among your recipients</span>
      ) : (
        <span className="break-words font-medium">{kept.label}</span>
      )}
      <code className="break-all">{address}</code>
    </span>
  );
}
