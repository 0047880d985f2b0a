import { ENVIRONMENTS } from "../../domain/terms.ts";
import { oneOf } from "../../domain/values.ts";
import { adminVerb, positional } from "../../edge/admin.ts";
import { leaveChain } from "./actions.ts";

export const chainVerbs = [
  adminVerb({
    words: "chain leave",
    takes: { environment: positional(oneOf(ENVIRONMENTS)) },
    does: "Detaches a database without intents from its chain, program and operator. Stop every process first.",
    run: async ({ database, environment }) => {
      const { operator } = await leaveChain(database, environment);
      return {
        result: { object: "chain", environment, operator: null },
        text: `The database is detached from the operator ${operator}. The next start attaches it to the operator of the settings.`,
      };
    },
  }),
];
