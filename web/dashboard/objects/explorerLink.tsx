import * as texts from "../catalogue/index.ts";
import { useTenant } from "../shell/tenant.ts";

const EXPLORER = "https://explorer.solana.com";

/** A link to the object on a public chain. */
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
      {texts.objects.explorer}
    </a>
  );
}
