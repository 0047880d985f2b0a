import { type Answer, exchange } from "./http.ts";

const PREFIX = "/staff/v1";

/** A browser at the dashboard: it keeps the cookie, and says where its requests come from. */
export class Browser {
  readonly #url: string;
  readonly origin: string;
  cookie: string | null = null;

  constructor(url: string, origin: string) {
    this.#url = url;
    this.origin = origin;
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: readonly (readonly [string, string])[] = [
      ["Origin", this.origin],
      ["Sec-Fetch-Site", "same-origin"],
    ],
  ): Promise<Answer> {
    const answer = await exchange(method, `${this.#url}${PREFIX}${path}`, {
      headers: [
        ...headers,
        ...(this.cookie === null ? [] : [["Cookie", this.cookie] as const]),
        ...(body === undefined ? [] : [["Content-Type", "application/json"] as const]),
      ],
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const set of answer.headers["set-cookie"] ?? []) {
      const [pair = ""] = set.split(";", 1);
      this.cookie = /Max-Age=0$/.test(set) ? null : pair;
    }
    return answer;
  }

  get = (path: string) => this.send("GET", path);
  post = (path: string, body?: unknown) => this.send("POST", path, body);
}
