import { ENVIRONMENTS } from "../../domain/terms.ts";
import { AdminError, type AdminVerb, parseChoice } from "../../edge/admin.ts";
import { leaveChain } from "./actions.ts";

export const chainVerbs: readonly AdminVerb[] = [
  {
    words: ["chain", "leave"],
    usage: "chain leave test|live",
    does: "Unties a database without intents from its chain, program and operator. Stop every process before.",
    options: {},
    run: async ({ database, positionals: [word] }) => {
      if (word === undefined) throw new AdminError("Name the environment: chain leave test.");
      const environment = parseChoice("environment", word, ENVIRONMENTS);
      const { operator } = await leaveChain(database, environment);
      return {
        result: { object: "chain", environment, operator: null },
        text: `The database no longer belongs to the operator ${operator}. The next start joins the one of its settings.`,
      };
    },
  },
];
