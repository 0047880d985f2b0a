import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http";
import { connect } from "../../../../connection";
import { trySettings } from "../../../../orders/attempts";
import { parseSettings, readSettings, saveSettings } from "../../../../orders/settings";

export async function GET(request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> {
  const { recipient, protection_period, tokens } = await readSettings(request.scope);
  const { serviceUrl, environment } = connect();
  response.json({ settings: { recipient, protection_period, tokens }, service_url: serviceUrl, environment });
}

export async function POST(request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> {
  const settings = parseSettings(request.body);
  await saveSettings(request.scope, settings);
  response.json({ settings, ...(await trySettings(settings)) });
}
