import { listMissingBusinesses } from "../../features/staff/company/queries.ts";
import { redirectUriOf } from "../../features/staff/provider/company.ts";
import { openProvider, ProviderAnswerError } from "../../features/staff/provider/provider.ts";
import type { Database } from "../../store/database.ts";
import { readCompany } from "../company.ts";
import type { Config } from "../config.ts";
import { CHECK_MS, type Finding, fail, messageOf, ok, warn } from "./finding.ts";

const CHECK = "company sign-in";
const CLOCK_MS_WARN = 10_000;
const GUIDE = "docs/how-to/company-sign-in.md";

/** The company's provider: its description, the clocks, the client and the address to which it returns browsers. */
export async function checkCompany(config: Config, now: () => Date): Promise<Finding[]> {
  const settings = await readCompany(config);
  if (settings === null) return [];
  let clockMs = 0;
  const reach: typeof fetch = async (...request) => {
    const answer = await fetch(...request);
    const date = Date.parse(answer.headers.get("date") ?? "");
    if (!Number.isNaN(date)) clockMs = date - now().getTime();
    return answer;
  };
  const provider = openProvider(settings, config.dashboardUrl, reach);
  let described: Awaited<ReturnType<typeof provider.describe>>;
  try {
    described = await provider.describe();
  } catch (error) {
    return [fail(CHECK, messageOf(error), `Correct issuer, or the network to it: ${GUIDE}`)];
  }
  const { code_challenge_methods_supported: challenges, scopes_supported: scopes } = described;
  const { claims_supported: claims, id_token_signing_alg_values_supported: algorithms } = described;
  const lacks = (list: unknown, value: string): boolean => Array.isArray(list) && !list.includes(value);
  const hasSignature = !Array.isArray(algorithms) || algorithms.some((one) => /^(RS|PS|ES|Ed)/.test(one));
  return [
    ok(CHECK, `${settings.issuer} describes itself as that.`),
    ...(Math.abs(clockMs) < CLOCK_MS_WARN
      ? []
      : [warn(CHECK, `Its clock differs by ${Math.round(clockMs / 1_000)} s.`, "Run a time service on this machine.")]),
    ...(hasSignature
      ? []
      : [fail(CHECK, "It signs ID tokens only by shared secrets.", `Let it sign by a key: ${GUIDE}`)]),
    ...(lacks(challenges, "S256") ? [warn(CHECK, "It does not list PKCE by S256.", `Ask its operator: ${GUIDE}`)] : []),
    ...(lacks(scopes, "offline_access") && settings.scopes.includes("offline_access")
      ? [warn(CHECK, "It does not list the scope offline_access: sessions may end after ten minutes.", `See ${GUIDE}`)]
      : []),
    ...(lacks(claims, "auth_time")
      ? [
          warn(
            CHECK,
            "It does not list auth_time: it may prove nobody anew.",
            "Users then prove by password or passkey.",
          ),
        ]
      : []),
    await checkClient(() => provider.confirm("holdfast-doctor", "")),
    await checkReturn(redirectUriOf(config.dashboardUrl), await provider.authorizationUrl("holdfast-doctor", false)),
  ];
}

/** Businesses that groups name and that do not exist: a name that is mistyped gives nothing. */
export async function checkGroups({ companySignIn }: Config, database: Database): Promise<Finding[]> {
  const named = [...(companySignIn?.groups.values() ?? [])].flatMap(({ roles }) => [...roles.keys()]);
  return (await listMissingBusinesses(database, named)).map((id) =>
    warn(CHECK, `Its groups name ${id}, which is no business.`, "Correct groups."),
  );
}

/** A token that nobody has is refused to the right client, and another client is refused itself. */
async function checkClient(ask: () => Promise<unknown>): Promise<Finding> {
  try {
    await ask();
    return warn(CHECK, "It accepted a token that it never gave.", "Ask its operator.");
  } catch (error) {
    if (error instanceof ProviderAnswerError && error.isRefusal)
      return ok(CHECK, "It knows the client and its secret.");
    return fail(CHECK, messageOf(error), `Correct clientId, or the secret in clientSecretFile: ${GUIDE}`);
  }
}

/** Without a sign-in at the provider the browser comes straight back, to an address that is registered. */
async function checkReturn(redirectUri: string, url: string): Promise<Finding> {
  const asked = new URL(url);
  asked.searchParams.set("prompt", "none");
  const answer = await fetch(asked, { redirect: "manual", signal: AbortSignal.timeout(CHECK_MS) });
  await answer.body?.cancel();
  if (answer.headers.get("location")?.startsWith(`${redirectUri}?`))
    return ok(CHECK, `It returns browsers to ${redirectUri}`);
  return warn(
    CHECK,
    `It does not return a browser straight away (status ${answer.status}).`,
    `Register exactly this redirect URI: ${redirectUri}`,
  );
}
