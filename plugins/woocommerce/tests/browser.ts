// A browser's cookies, without the browser.
const CALL_MS_MAX = 120_000;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of WooCommerce, which has no types here.
  readonly json: any;
}

export class Browser {
  readonly #url: string;
  readonly #cookies = new Map<string, string>();

  constructor(url: string) {
    this.#url = url;
  }

  /** `body`: JSON, or the fields of a form. A redirect is not followed. */
  async ask(
    method: string,
    path: string,
    body?: object | { readonly form: Record<string, string> },
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const isForm = body !== undefined && "form" in body;
    const answer = await fetch(`${this.#url}${path}`, {
      ...{ method, redirect: "manual", signal: AbortSignal.timeout(CALL_MS_MAX) },
      headers: {
        ...{ ...headers, Cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
        ...(body === undefined || isForm ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: isForm ? new URLSearchParams(body.form) : JSON.stringify(body) }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      this.#cookies.set(name!, value!);
    }
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.includes("json");
    return { status: answer.status, headers: answer.headers, text, json: isJson ? JSON.parse(text) : null };
  }

  /** Throws if it is no success. */
  async ok(...request: Parameters<Browser["ask"]>): Promise<Answer> {
    const answer = await this.ask(...request);
    if (answer.status >= 300)
      throw new Error(`${request[0]} ${request[1]}: ${answer.status} ${answer.text.slice(0, 2_000)}`);
    return answer;
  }
}

const NOT_SENT = ["submit", "button", "checkbox", "radio", "file"];

/** The fields that a browser would send of the form with an id, up to the page's end. */
export function fieldsOf(page: string, id: string): Record<string, string> {
  const form = page.slice(page.search(new RegExp(`<form[^>]* id="${id}"`)));
  const found = form.matchAll(/<(input|textarea|select)\b([^>]*)>(?:([^<]*)<\/textarea>)?/g);
  const fields: Record<string, string> = {};
  for (const { 1: kind, 2: attributes = "", 3: text, index } of found) {
    const name = attributeOf(attributes, "name");
    if (name === null || name in fields || NOT_SENT.includes(attributeOf(attributes, "type") ?? "")) continue;
    const options = kind === "select" ? form.slice(index, form.indexOf("</select>", index)) : "";
    const chosen = /<option[^>]* selected[^>]*>/.exec(options) ?? /<option[^>]*>/.exec(options);
    fields[name] = text ?? attributeOf(chosen?.[0] ?? attributes, "value") ?? "";
  }
  return fields;
}

const attributeOf = (tag: string, name: string): string | null =>
  new RegExp(`\\b${name}=(["'])(.*?)\\1`).exec(tag)?.[2] ?? null;
