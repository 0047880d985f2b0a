const INDENT = "  ";
/** A whole string; a character that changes the depth or ends a member; or any other token between them. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** JSON on several lines, with its characters unchanged: it is not parsed, so no number is rounded. */
export function prettyJson(json: string): string {
  let text = "";
  let depth = 0;
  let previous = "";
  const line = () => `\n${INDENT.repeat(depth)}`;
  for (const [token] of json.matchAll(TOKENS)) {
    const closes = token === "}" || token === "]";
    if (closes) depth--;
    const isEmpty = closes && (previous === "{" || previous === "[");
    const begins = previous === "{" || previous === "[" || previous === ",";
    if (!isEmpty && (closes || begins)) text += line();
    text += token === ":" ? ": " : token;
    if (token === "{" || token === "[") depth++;
    previous = token;
  }
  return text;
}
