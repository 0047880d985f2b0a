import { Type } from "typebox";
import { invalid } from "../../../domain/errors.ts";
import type { Field } from "../../../edge/http/fields.ts";
import type { Assertion, Registration } from "./webAuthn.ts";

const BASE64URL = Type.String({ pattern: "^[A-Za-z0-9_-]*$" });

/** The result of `navigator.credentials`, in the form of its `toJSON`. */
const credential = <Value>(responses: readonly string[], description: string): Field<Value> => ({
  schema: Type.Object(
    {
      id: BASE64URL,
      rawId: BASE64URL,
      type: Type.Literal("public-key"),
      response: Type.Object(Object.fromEntries(responses.map((name) => [name, BASE64URL])), {
        additionalProperties: true,
      }),
      clientExtensionResults: Type.Object({}, { additionalProperties: true }),
    },
    { description, additionalProperties: true },
  ),
  expected: "the JSON form of a PublicKeyCredential",
  parse: (member, name) => {
    const { id, rawId, type, response, clientExtensionResults } = (member.value ?? {}) as Record<string, unknown>;
    const texts = [
      id,
      rawId,
      ...responses.map((one) => (response as Record<string, unknown> | null | undefined)?.[one]),
    ];
    const extensions = typeof clientExtensionResults === "object" && clientExtensionResults !== null;
    if (
      !texts.every((one) => typeof one === "string" && /^[A-Za-z0-9_-]+$/.test(one)) ||
      type !== "public-key" ||
      !extensions
    )
      throw invalid(name, "Expected the JSON form of a PublicKeyCredential, as its toJSON gives it.");
    if (member.unstorable) throw invalid(name, "A text in it holds an escaped NUL or half of a surrogate pair.");
    return member.value as Value;
  },
});

export const assertionField = credential<Assertion>(
  ["clientDataJSON", "authenticatorData", "signature"],
  "The answer of a passkey.",
);
export const registrationField = credential<Registration>(
  ["clientDataJSON", "attestationObject"],
  "A new passkey, as the browser made it.",
);
