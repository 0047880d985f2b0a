import { Type } from "typebox";
import type { Components, Declaration } from "../../edge/http/declaration.ts";
import { component, environment } from "../../edge/http/schemas.ts";

/** §2.3. */
export const businessComponents: Components = {
  Business: Type.Object(
    {
      object: Type.Literal("business"),
      id: Type.String({ pattern: "^biz_[0-9a-f]{32}$", description: "The business's id." }),
      name: Type.String({ description: "The business's name." }),
      environment: environment(),
      apiKey: Type.Object(
        { id: Type.String({ pattern: "^key_[0-9a-f]{32}$", description: "The id of the key that asked." }) },
        { description: "The key that asked. The key itself is shown once, when it is made." },
      ),
    },
    { description: "The business a key belongs to." },
  ),
};

/** §4.7. */
export const CHECK_KEY = {
  operationId: "getMe",
  tag: "Keys",
  summary: "Check a key",
  description: "The business and environment of this key. A first call that shows whether a key works.",
  success: {
    status: 200,
    description: "The key works.",
    schema: component("Business"),
    example: {
      object: "business",
      id: "biz_01a1fc06b1cd6aa165e96a8ab2d2e7fc",
      name: "Demo shop",
      environment: "test",
      apiKey: { id: "key_01a1fc07df8c619d8e6ec9114ad57676" },
    },
  },
  errors: [],
} as const satisfies Declaration;
