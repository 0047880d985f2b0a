import { Holdfast } from "@holdfast/sdk";

/** The settings of the process. Secrets are never stored in the shop's database. */
export interface HoldfastPluginOptions {
  /** The API, such as `https://pay.example.com/api/v1`. */
  readonly apiUrl: string;
  /** A key with the scope `full`. Its environment is the one in which the shop sells. */
  readonly apiKey: string;
  /** The signing secret of the endpoint; while it is rolled, the new and the old one. */
  readonly webhookSecrets: readonly string[];
  /** The page of the storefront to which buyers come back, with `{merchantReference}` for the order's code. */
  readonly returnUrl?: string | undefined;
}

export interface Connection {
  readonly holdfast: Holdfast;
  readonly environment: "test" | "live";
  readonly webhookSecrets: string[];
  readonly returnUrl: string | null;
  /** The address of the service, without the API's path: its dashboard is below. */
  readonly serviceUrl: string;
}

let known: Connection | null = null;

/** Throws if an option is missing. */
export function connect({ apiUrl, apiKey, webhookSecrets, returnUrl }: HoldfastPluginOptions): void {
  if (!apiUrl || !apiKey || webhookSecrets.length === 0)
    throw new Error(
      "HoldfastPlugin.init takes apiUrl, apiKey and webhookSecrets: see the README of @holdfast/vendure.",
    );
  const baseUrl = apiUrl.replace(/\/+$/, "");
  known = {
    ...{ holdfast: new Holdfast({ apiKey, baseUrl }), webhookSecrets: [...webhookSecrets] },
    ...{ environment: apiKey.startsWith("sk_live_") ? "live" : "test", returnUrl: returnUrl || null },
    serviceUrl: baseUrl.replace(/\/api\/v1$/, ""),
  };
}

export function connection(): Connection {
  if (known === null) throw new Error("Name HoldfastPlugin.init(…) in the plugins of the shop's configuration.");
  return known;
}

let pages: Promise<string> | null = null;

/** The address below which the dashboard has the page of each payment, where its recipient signs. */
export function paymentPages(): Promise<string> {
  const { holdfast, serviceUrl } = connection();
  pages ??= holdfast.me.retrieve().then(
    ({ id, environment }) => `${serviceUrl}/dashboard/${id}/${environment}/payments`,
    (error: unknown) => {
      pages = null;
      throw error;
    },
  );
  return pages;
}
