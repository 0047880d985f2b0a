import { Type } from "typebox";
import { invalid } from "../../domain/errors.ts";
import { checkedText, type Field } from "../../edge/http/fields.ts";
import type { Assertion, Registration } from "./signIn/webAuthn.ts";

/** Fields of the bodies of the staff API. What a value must be is the operation's to say; here it is only short enough. */

const text = (description: string, charactersMax: number): Field<string> =>
  checkedText(
    Type.String({ description, maxLength: charactersMax }),
    `a text of at most ${charactersMax} characters`,
    (value) => value.length <= charactersMax,
  );

export const emailField = text("An e-mail address.", 320);
export const passwordField = text("The password.", 1_000);
export const nameField = text("A name of 1 to 100 characters.", 400);
export const codeField = text("A code of the authenticator app, or a backup code.", 50);
export const secretField = (description: string): Field<string> => text(description, 300);

const BASE64URL = Type.String({ pattern: "^[A-Za-z0-9_-]*$" });

/** What `navigator.credentials` gave the page, as its `toJSON` writes it. */
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
