import { createHmac } from "node:crypto";
import { Holdfast } from "@holdfast/sdk";

/** The settings of the process. Secrets are never stored in the shop's database. */
export interface Connection {
  readonly holdfast: Holdfast;
  /** The address of the service, without the API's path: its dashboard is below. */
  readonly serviceUrl: string;
  /** A code that only who has the key can make. */
  readonly codeOf: (text: string) => string;
  /** The environment of the key, in which the shop sells. */
  readonly environment: "test" | "live";
  /** The signing secret; while one is rolled, the new and the old one. None if there is no endpoint: the shop then follows the events. */
  readonly webhookSecrets: readonly string[];
  /** The page of the storefront to which buyers come back, with `{merchantReference}` for the order's id. */
  readonly returnUrl: string | null;
}

let known: Connection | null = null;

/** Reads the variables once. Throws if one is missing. */
export function connect(env: NodeJS.ProcessEnv = process.env): Connection {
  known ??= read(env);
  return known;
}

function read(env: NodeJS.ProcessEnv): Connection {
  const need = (name: string) => {
    const value = env[name];
    if (value === undefined || value === "") throw new Error(`Set ${name}: see the README of @holdfast/medusa.`);
    return value;
  };
  const apiKey = need("HOLDFAST_API_KEY");
  const baseUrl = need("HOLDFAST_API_URL").replace(/\/+$/, "");
  return {
    holdfast: new Holdfast({ apiKey, baseUrl }),
    serviceUrl: baseUrl.replace(/\/api\/v1$/, ""),
    codeOf: (text) => createHmac("sha256", apiKey).update(text).digest("hex"),
    environment: apiKey.startsWith("sk_live_") ? "live" : "test",
    webhookSecrets: (env.HOLDFAST_WEBHOOK_SECRET ?? "").split(/\s+/).filter((secret) => secret !== ""),
    returnUrl: env.HOLDFAST_RETURN_URL || null,
  };
}
