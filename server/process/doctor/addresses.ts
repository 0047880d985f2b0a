import { type RequestOptions, request } from "node:https";
import type { TLSSocket } from "node:tls";
import { isLoopback } from "../../lib/loopback.ts";
import type { Config } from "../config.ts";
import { CHECK_MS, type Finding, fail, ok, warn } from "./finding.ts";

const DAY_MS = 86_400_000;
const CERTIFICATE_DAYS_MIN = 14;

/** How addresses are reached: a test leads them to its own server. */
export type Reach = Pick<RequestOptions, "lookup" | "ca">;

interface Answer {
  readonly status: number;
  readonly certificateUntil: Date;
}

function ask(url: string, reach: Reach): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { ...reach, agent: false, signal: AbortSignal.timeout(CHECK_MS) }, (response) => {
      const { valid_to } = (response.socket as TLSSocket).getPeerCertificate();
      response.destroy();
      resolve({ status: response.statusCode ?? 0, certificateUntil: new Date(valid_to) });
    });
    asked.on("error", reject);
    asked.end();
  });
}

/** When the certificate of an address ends. Throws if it cannot be reached, or is refused. */
export const fetchCertificateEnd = async (url: string): Promise<Date> => (await ask(url, {})).certificateUntil;

interface Probe {
  readonly setting: string;
  readonly base: string;
  readonly path: string;
  readonly status: number;
}

/** Each public address by a page that the service alone gives, as a buyer or a merchant would reach it. */
const probesOf = ({ apiUrl, checkoutUrl, dashboardUrl }: Config): readonly Probe[] => [
  { setting: "API_URL", base: apiUrl, path: `${apiUrl}/me`, status: 401 },
  { setting: "CHECKOUT_URL", base: checkoutUrl, path: `${checkoutUrl}/.well-known/holdfast.json`, status: 200 },
  { setting: "DASHBOARD_URL", base: dashboardUrl, path: `${dashboardUrl}/sign-in`, status: 200 },
];

export async function checkAddresses(config: Config, reach: Reach, now: Date): Promise<Finding[]> {
  const found = await Promise.all(probesOf(config).map((probe) => checkAddress(probe, reach, now)));
  return found.flat();
}

async function checkAddress({ setting, base, path, status }: Probe, reach: Reach, now: Date): Promise<Finding[]> {
  const { hostname, protocol, origin } = new URL(base);
  if (isLoopback(hostname))
    return [
      warn(setting, `${base} is this machine alone.`, `Set ${setting} to the public address, before real payments.`),
    ];
  if (protocol !== "https:")
    return [fail(setting, `${base} is not encrypted.`, "Use https, by a proxy that ends TLS.")];
  let answer: Answer;
  try {
    answer = await ask(path, reach);
  } catch (error) {
    return [describeFailure(setting, hostname, error as NodeJS.ErrnoException)];
  }
  const days = Math.floor((answer.certificateUntil.getTime() - now.getTime()) / DAY_MS);
  return [
    judgeStatus(setting, hostname, answer.status, status),
    ...(days < CERTIFICATE_DAYS_MIN
      ? [
          warn(
            setting,
            `The certificate of ${hostname} ends in ${days} days.`,
            "Renew it, and look why that did not run.",
          ),
        ]
      : []),
    ...(await checkInside(setting, origin, reach)),
  ];
}

function describeFailure(setting: string, hostname: string, { code = "", message }: NodeJS.ErrnoException): Finding {
  if (/^(ENOTFOUND|EAI_AGAIN)$/.test(code))
    return fail(setting, `The name ${hostname} does not resolve.`, "Add it to your DNS, or correct the setting.");
  if (/CERT|ALTNAME|SELF_SIGNED|UNABLE_TO/.test(code))
    return fail(setting, `Browsers refuse the certificate of ${hostname} (${code}).`, "Install one for this name.");
  return fail(setting, `${hostname} does not answer: ${code || message}.`, "Start the proxy; open port 443 to it.");
}

function judgeStatus(setting: string, hostname: string, found: number, expected: number): Finding {
  if (found === expected) return ok(setting, `${hostname} answers by TLS, and the service is behind it.`);
  if (found === 421)
    return fail(
      setting,
      `${hostname} answers 421: the Host header is another.`,
      "Let the proxy pass the Host header on.",
    );
  const remedy =
    found >= 502 ? "Start the service, or correct its address in the proxy." : "Let the proxy pass these paths on.";
  return fail(setting, `${hostname} answers ${found} where the service answers ${expected}.`, remedy);
}

async function checkInside(setting: string, origin: string, reach: Reach): Promise<Finding[]> {
  const answer = await ask(`${origin}/metrics`, reach).catch(() => null);
  if (answer?.status !== 200) return [];
  return [
    fail(setting, `${origin}/metrics answers everybody.`, "Let the proxy refuse /metrics, /healthz and /readyz."),
  ];
}
