import { useTenant } from "../shell/tenant.ts";

const EXPLORER = "https://explorer.solana.com";

/** A link to what anybody sees of it on chain; nothing if the chain is not public. */
export function ExplorerLink(of: { readonly address: string } | { readonly signature: string }) {
  const { business, environment } = useTenant();
  const cluster = business.clusters[environment];
  if (cluster === null) return null;
  const path = "address" in of ? `address/${of.address}` : `tx/${of.signature}`;
  return (
    <a
      href={`${EXPLORER}/${path}${cluster === "mainnet-beta" ? "" : `?cluster=${cluster}`}`}
      target="_blank"
      rel="noopener noreferrer"
      className="self-center font-medium"
    >
      View on Solana Explorer
    </a>
  );
}
