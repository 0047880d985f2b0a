import type { Chain } from "../chain/chain.ts";
import { ChainUnavailableError } from "../chain/port.ts";
import { addressSealing } from "../domain/buyerAddress.ts";
import type { Environment } from "../domain/terms.ts";
import { type AdminAnswer, type AdminVerb, findVerb, readLine } from "../edge/admin.ts";
import type { Database } from "../store/database.ts";
import type { ChainContext, Context } from "./context.ts";

type Given<Wanted extends Context> = Partial<Omit<Wanted, "chain">> & {
  readonly chain?: { readonly [Name in keyof Chain]?: Chain[Name] | Partial<Chain[Name]> };
};

/** A context with what a test gives: the rest is quiet, empty, or missing. A chain is of `test`, unless it names another environment. */
export function testContext<Wanted extends Context = ChainContext>(given: Given<Wanted>): Wanted {
  const { database, sealing = null, chain } = given;
  const own = chain && { environment: "test", ...chain };
  const findChain = (environment: Environment) => (own?.environment === environment ? own : null);
  const context = {
    slowDatabase: database,
    log: () => undefined,
    countLook: () => undefined,
    sealing,
    addresses: addressSealing(sealing),
    checkoutUrl: "https://pay.example",
    apiUrl: "https://api.example",
    dashboardUrl: "https://dashboard.example",
    isLocal: false,
    lifetimeMs: 86_400_000,
    intentRetentionDays: null,
    findChain,
    chainOf: (environment: Environment) => {
      const found = findChain(environment);
      if (found === null) throw new ChainUnavailableError(`No chain is configured for ${environment}.`);
      return found;
    },
    ...given,
    chain: own ?? { environment: "test" },
  };
  return context as unknown as Wanted;
}

/** Runs the command lines of verbs on a database. */
export const commandLine =
  (verbs: readonly AdminVerb[], database: Database) =>
  async (...words: readonly string[]): Promise<AdminAnswer> => {
    const verb = findVerb(verbs, words)!;
    return verb.read(readLine(verb, words).line)({ database, actor: { kind: "cli", name: "root" } });
  };
