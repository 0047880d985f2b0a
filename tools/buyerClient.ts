// The types of the requests that buyers' pages make, from the OpenAPI document of the buyers' door.
import type { Json } from "../server/edge/http/openapi.ts";
import { type Content, describedIn, objectTypes, typeOf } from "./clientTypes.ts";

/** The text of `web/checkout/schema.ts`: a type for each object, and for each POST of a page its body and its answer. */
export function buyerClientText(document: Json): string {
  const { operations, objects } = describedIn(document);
  const schemaOf = ({ content }: Content) => typeOf(content["application/json"]?.schema ?? {});
  const posts = operations.flatMap(({ path, operation: { description, requestBody, responses } }) => {
    const answer = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
    return requestBody === undefined || answer === undefined
      ? []
      : [
          `  /** ${description} */\n  "${path}": { readonly body: ${schemaOf(requestBody)}; readonly answer: ${schemaOf(answer)} };`,
        ];
  });
  return `// Written by \`npm run openapi\` from the routes of the buyers' door. Change those, never this file.

${objectTypes(objects)}
/** Each POST of a page: its body and its answer. */
export interface Posts {
${posts.join("\n")}
}
`;
}
