import { AdminError, type AdminVerb } from "../../edge/admin.ts";
import { addBusiness } from "./actions.ts";

export const businessVerbs: readonly AdminVerb[] = [
  {
    words: ["business", "add"],
    usage: "business add <name>",
    does: "Adds a business.",
    options: {},
    run: async ({ database, positionals: [name] }) => {
      if (name === undefined) throw new AdminError("Give a name of 1 to 100 characters.");
      const business = await addBusiness(database, name);
      return {
        result: { object: "business", ...business },
        text: `Added ${business.id} (${business.name}). Next: key add ${business.id}`,
      };
    },
  },
];
