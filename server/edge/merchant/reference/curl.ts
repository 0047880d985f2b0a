import type { Json } from "../../http/openapi.ts";

/** One line for a shell that sends the operation's example. */
export function showCurl(apiUrl: string, method: string, path: string, operation: Json): string {
  const parameters: Json[] = operation.parameters;
  const filled = path.replace(/\{([a-z]+)\}/g, (_, name: string) =>
    String(parameters.find((one) => one.in === "path" && one.name === name).example),
  );
  const example = operation.requestBody?.content["application/json"].examples.example.value;
  const parts = [
    `curl ${quote(`${apiUrl}${filled}${queryOf(parameters)}`)}`,
    ...(method === "get" ? [] : [`-X ${method.toUpperCase()}`]),
    '-H "Authorization: Bearer $HOLDFAST_KEY"',
    ...(method === "get" ? [] : ['-H "Idempotency-Key: $(uuidgen)"']),
    ...(example === undefined ? [] : ['-H "Content-Type: application/json"', `-d ${quote(JSON.stringify(example))}`]),
  ];
  return parts.join(" ");
}

/** Takes the first parameter with an example, and `limit`: enough to show a query of a list. */
function queryOf(parameters: readonly Json[]): string {
  const shown = parameters.filter((one) => one.in === "query" && one.example !== undefined);
  const query = [shown[0], shown.find((one) => one.name === "limit")]
    .filter((one) => one !== undefined)
    .map((one) => `${one.name}=${encodeURIComponent([one.example].flat()[0])}`);
  return query.length === 0 ? "" : `?${query.join("&")}`;
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
