import { checkBuyerAnswer } from "./buyerDocument.ts";

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the tests read answers of many shapes
  readonly json: any;
  readonly cookies: readonly string[];
}

/** A browser that keeps the cookies of one site, whatever their path: a test sends them where it wants. */
export class BuyerBrowser {
  readonly cookies = new Map<string, string>();
  readonly #url: string;
  readonly headers: Readonly<Record<string, string>>;
  constructor(url: string, headers: Readonly<Record<string, string>> = { "sec-fetch-site": "same-origin" }) {
    this.#url = url;
    this.headers = headers;
  }

  async call(method: string, path: string, body?: object): Promise<Answer> {
    const answer = await fetch(`${this.#url}${path}`, {
      method,
      headers: {
        ...this.headers,
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const cookies = answer.headers.getSetCookie();
    for (const cookie of cookies) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      if (/Max-Age=0/.test(cookie)) this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    const text = await answer.text();
    const { status } = answer;
    const json = text === "" ? null : JSON.parse(text);
    checkBuyerAnswer(method, path, { status, headers: Object.fromEntries(answer.headers), text, json });
    return { status, json, cookies };
  }

  post = (path: string, body: object = {}) => this.call("POST", path, body);
  get = (path: string) => this.call("GET", path);
}
