import { ENVIRONMENTS } from "../../domain/terms.ts";
import { AdminError, type AdminVerb, parseChoice } from "../../edge/admin.ts";
import { leaveChain } from "./actions.ts";

export const chainVerbs: readonly AdminVerb[] = [
  {
    usage: "chain leave test|live",
    does: "Detaches a database without intents from its chain, program and operator. Stop every process first.",
    run: async ({ database, positionals: [word] }) => {
      if (word === undefined) throw new AdminError("Name the environment: chain leave test.");
      const environment = parseChoice("environment", word, ENVIRONMENTS);
      const { operator } = await leaveChain(database, environment);
      return {
        result: { object: "chain", environment, operator: null },
        text: `The database is detached from the operator ${operator}. The next start attaches it to the operator of the settings.`,
      };
    },
  },
];
