import { readFile } from "node:fs/promises";
import type { CompanySettings } from "../features/staff/provider/company.ts";
import { openProvider, type Provider } from "../features/staff/provider/provider.ts";
import type { Config } from "./config.ts";

/** The settings of the company's provider, with the client's secret read; null: none is set. Throws an error that names the file. */
export async function readCompany({ companySignIn }: Pick<Config, "companySignIn">): Promise<CompanySettings | null> {
  if (companySignIn === null) return null;
  const { clientSecretFile, ...settings } = companySignIn;
  const secret = await readFile(clientSecretFile, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The file of the client secret, ${clientSecretFile}, cannot be read (${error.code}).`);
  });
  return { ...settings, clientSecret: secret.trim() };
}

/** The company's provider; null: none is set. */
export async function openCompany(config: Pick<Config, "companySignIn" | "dashboardUrl">): Promise<Provider | null> {
  const settings = await readCompany(config);
  return settings === null ? null : openProvider(settings, config.dashboardUrl, fetch);
}
