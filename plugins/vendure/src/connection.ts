import { type Asset, Holdfast } from "@holdfast/sdk";

/** The settings of the process. Secrets are never stored in the shop's database. Each has a variable, which counts where it is left out. */
export interface HoldfastPluginOptions {
  /** The API, such as `https://pay.example.com/api/v1` (`HOLDFAST_API_URL`). */
  readonly apiUrl?: string | undefined;
  /** A key with the scope `full` (`HOLDFAST_API_KEY`). Its environment is the one in which the shop sells. */
  readonly apiKey?: string | undefined;
  /** The signing secret of the endpoint; while it is rolled, the new and the old one (`HOLDFAST_WEBHOOK_SECRET`). None: no event is taken by webhook. */
  readonly webhookSecrets?: readonly string[] | undefined;
  /** The page of the storefront to which buyers come back, with `{merchantReference}` for the order's code (`HOLDFAST_RETURN_URL`). */
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

/** Throws if the address or the key is missing. */
export function connect(options: HoldfastPluginOptions, env: NodeJS.ProcessEnv = process.env): void {
  const need = (given: string | undefined, name: string) => {
    const value = given || env[name];
    if (!value) throw new Error(`Set ${name}: see the README of @holdfast/vendure.`);
    return value;
  };
  const apiKey = need(options.apiKey, "HOLDFAST_API_KEY");
  const baseUrl = need(options.apiUrl, "HOLDFAST_API_URL").replace(/\/+$/, "");
  const secrets = options.webhookSecrets ?? (env.HOLDFAST_WEBHOOK_SECRET ?? "").split(/\s+/);
  known = {
    ...{ holdfast: new Holdfast({ apiKey, baseUrl }), webhookSecrets: secrets.filter((secret) => secret !== "") },
    environment: apiKey.startsWith("sk_live_") ? "live" : "test",
    returnUrl: options.returnUrl || env.HOLDFAST_RETURN_URL || null,
    serviceUrl: baseUrl.replace(/\/api\/v1$/, ""),
  };
}

export function connection(): Connection {
  if (known === null) throw new Error("Name HoldfastPlugin.init(…) in the plugins of the shop's configuration.");
  return known;
}

/** The token of a payment, as people read its amounts. */
export type Token = Pick<Asset, "symbol" | "decimals">;

/** The tokens of the shop's settings, present and earlier, by mint. */
const tokens = new Map<string, Token>();

export async function readToken(mint: string): Promise<Token> {
  const { symbol, decimals } = tokens.get(mint) ?? (await connection().holdfast.assets.retrieve(mint));
  const token = { symbol: symbol ?? mint, decimals };
  tokens.set(mint, token);
  return token;
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
