/**
 * JSON that keeps its spelling. Metadata is returned as it was sent (§2.1) and a request is the same request only
 * when its tokens are (§4.8), so values are carried as source text and never through JS numbers.
 */

/** A member of the body: its value for reading, and its text (without insignificant white space) for storing. */
export interface JsonMember {
  readonly value: unknown;
  readonly text: string;
  /** `text` with the members of every object sorted and every string in one spelling. */
  readonly canonical: string;
  /** True if a string in it holds an escaped NUL or a lone surrogate, which PostgreSQL cannot store. */
  readonly unstorable: boolean;
}
export type JsonObject = ReadonlyMap<string, JsonMember>;

/** The body is not a JSON object that we accept; the message says why. */
export class JsonError extends Error {
  override readonly name = "JsonError";
  /** True if the body is nested deeper than we read, which no client does by mistake. */
  readonly passesLimit: boolean;

  constructor(message: string, passesLimit = false) {
    super(message);
    this.passesLimit = passesLimit;
  }
}

const DEPTH_MAX = 64;
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
const SCALAR = /[^\s,:{}[\]"]+/y;
const LONE_SURROGATE = /\p{Surrogate}/u;
const NUL = String.fromCharCode(0);

/** Parses a body (valid UTF-8 already) that must be a JSON object without repeated members, at most 64 levels deep. */
export function parseJsonObject(source: string): JsonObject {
  // The depth is checked first, since the native parser and the scanner recurse; the scanner trusts its input.
  checkDepth(source);
  let parsed: unknown;
  try {
    parsed = JSON.parse(source);
  } catch {
    // The engine's own message quotes the text around the mistake, and answers are stored, while metadata must not leak into
    // them.
    const at = findMistake(source);
    throw new JsonError(
      at === source.length
        ? "The body is not valid JSON: it ends too early."
        : `The body is not valid JSON from position ${at} on. Positions count characters from 0.`,
    );
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw new JsonError("The body must be a JSON object: {…}.");
  return new Scanner(source).object(parsed as Record<string, unknown>);
}

/**
 * Returns the object's text in one form: equal exactly when its tokens are, whatever the order of members and the escapes
 * in strings (§4.8.8). Numbers keep their spelling.
 */
export const canonicalJson = (object: JsonObject): string =>
  join([...object].map(([name, { canonical }]) => [name, canonical]));

const join = (members: [name: string, value: string][]): string =>
  `{${members
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
    .join(",")}}`;

/** A value's text as sent, and in the form of {@link canonicalJson}. */
interface Texts {
  readonly text: string;
  readonly canonical: string;
}

function checkDepth(source: string): void {
  let depth = 0;
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === 0x22) {
      STRING.lastIndex = at;
      const match = STRING.exec(source);
      if (match === null) return; // The string is unterminated: the parser reports it.
      at = STRING.lastIndex - 1;
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > DEPTH_MAX) throw new JsonError(`The body is nested more than ${DEPTH_MAX} levels deep.`, true);
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
}

const TOKEN =
  /[{}[\]:,]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)(?![\w.+-])/y;
const WHITE_SPACE = /[ \t\r\n]*/y;

/**
 * The kind of token that may come next. At a `first` one the object or list may also end; at a plain `name` or `value` it
 * may not.
 */
type Place = "value" | "first value" | "name" | "first name" | "colon" | "next" | "end";

/**
 * Returns the index of the first token that JSON does not allow there; the length if the text ends too early, null if it
 * is JSON.
 */
export function findMistake(source: string): number | null {
  const open: ("{" | "[")[] = [];
  let place: Place = "value";
  for (let at = 0; ; at = TOKEN.lastIndex) {
    WHITE_SPACE.lastIndex = at;
    WHITE_SPACE.exec(source);
    const start = WHITE_SPACE.lastIndex;
    if (start === source.length) return place === "end" ? null : start;
    TOKEN.lastIndex = start;
    const token = TOKEN.exec(source)?.[0];
    const after: Place | null = token === undefined ? null : placeAfter(token, place, open);
    if (after === null) return start;
    place = after;
  }
}

/** Returns the place after a token; null if the token is not allowed at this place. */
function placeAfter(token: string, place: Place, open: ("{" | "[")[]): Place | null {
  const closed = () => (open.length === 0 ? "end" : "next");
  const inside = open.at(-1);
  if (token === ":") return place === "colon" ? "value" : null;
  if (token === ",") return place !== "next" ? null : inside === "{" ? "name" : "value";
  if (token === "}" || token === "]") {
    const fits = inside === (token === "}" ? "{" : "[") && (place === "next" || place.startsWith("first"));
    open.pop();
    return fits ? closed() : null;
  }
  if (place === "name" || place === "first name") return token.startsWith('"') ? "colon" : null;
  if (place !== "value" && place !== "first value") return null;
  if (token !== "{" && token !== "[") return closed();
  open.push(token);
  return token === "{" ? "first name" : "first value";
}

/** Splits a source that is known to be valid into the texts of its members. */
class Scanner {
  readonly #source: string;
  #at = 0;
  #unstorable = false;

  constructor(source: string) {
    this.#source = source;
  }

  object(values: Record<string, unknown>): JsonObject {
    const members = new Map<string, JsonMember>();
    this.#skip("{");
    for (let more = this.#peek() !== "}"; more; more = this.#skipComma("}")) {
      this.#unstorable = false;
      const { name } = this.#name((known) => members.has(known));
      members.set(name, {
        value: Object.hasOwn(values, name) ? values[name] : undefined,
        ...this.#value(),
        unstorable: this.#unstorable,
      });
    }
    return members;
  }

  #value(): Texts {
    const next = this.#peek();
    if (next === "{") return this.#members();
    if (next === "[") return this.#items();
    if (next === '"') return this.#string();
    const text = this.#token(SCALAR);
    return { text, canonical: text };
  }

  #members(): Texts {
    const names = new Set<string>();
    const asSent: string[] = [];
    const sorted: [string, string][] = [];
    this.#skip("{");
    for (let more = this.#peek() !== "}"; more; more = this.#skipComma("}")) {
      const { name, spelling } = this.#name((known) => names.has(known));
      names.add(name);
      const { text, canonical } = this.#value();
      asSent.push(`${spelling}:${text}`);
      sorted.push([name, canonical]);
    }
    this.#skip("}");
    return { text: `{${asSent.join(",")}}`, canonical: join(sorted) };
  }

  #items(): Texts {
    const items: Texts[] = [];
    this.#skip("[");
    for (let more = this.#peek() !== "]"; more; more = this.#skipComma("]")) items.push(this.#value());
    this.#skip("]");
    return {
      text: `[${items.map((item) => item.text).join(",")}]`,
      canonical: `[${items.map((item) => item.canonical).join(",")}]`,
    };
  }

  #name(isTaken: (name: string) => boolean): { name: string; spelling: string } {
    const start = this.#at;
    const { text: spelling, canonical } = this.#string();
    const name: string = JSON.parse(canonical);
    if (isTaken(name))
      throw new JsonError(`The body has a member twice, the second time at position ${start}. Give each once.`);
    this.#skip(":");
    return { name, spelling };
  }

  #string(): Texts {
    const text = this.#token(STRING);
    // Without an escape there is one spelling: characters that must be escaped cannot be in it.
    if (!text.includes("\\")) return { text, canonical: text };
    const value: string = JSON.parse(text);
    this.#unstorable ||= value.includes(NUL) || LONE_SURROGATE.test(value);
    return { text, canonical: JSON.stringify(value) };
  }

  #token(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source);
    if (match === null) throw new Error(`The scanner expected another token at ${this.#at}.`);
    this.#at = pattern.lastIndex;
    return match[0];
  }

  #peek(): string {
    // All four kinds of JSON's white space have codes up to that of the space.
    while (this.#source.charCodeAt(this.#at) <= 0x20) this.#at++;
    return this.#source[this.#at] ?? "";
  }

  #skip(expected: string): void {
    if (this.#peek() !== expected) throw new Error(`The scanner expected ${expected} at ${this.#at}.`);
    this.#at++;
    this.#peek();
  }

  #skipComma(end: string): boolean {
    if (this.#peek() === end) return false;
    this.#skip(",");
    return true;
  }
}
