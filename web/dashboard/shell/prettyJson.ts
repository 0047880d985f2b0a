const INDENT = "  ";
/** A string, whole; a mark that changes the depth or ends a member; or anything else that stands between them. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** JSON on lines of its own, character by character as it was: nothing is parsed, so no number is rounded. */
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
