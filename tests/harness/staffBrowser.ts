import { type Answer, exchange } from "./http.ts";

const PREFIX = "/staff/v1";

/** A browser at the dashboard: it keeps the cookies, and says where its requests come from. */
export class Browser {
  readonly #url: string;
  readonly origin: string;
  /** The session's cookie. */
  cookie: string | null = null;
  /** The cookie by which the browser is known. */
  known: string | null = null;
  /** The cookie of a way to the company's provider and back. */
  company: string | null = null;

  constructor(url: string, origin: string) {
    this.#url = url;
    this.origin = origin;
  }

  /** Headers of a request from the dashboard's own page, by a proxy that names this address. */
  from = (address: string): readonly (readonly [string, string])[] => [
    ["Origin", this.origin],
    ["X-Forwarded-For", address],
  ];

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: readonly (readonly [string, string])[] = [
      ["Origin", this.origin],
      ["Sec-Fetch-Site", "same-origin"],
    ],
  ): Promise<Answer> {
    const cookies = [this.cookie, this.known, this.company].filter((one) => one !== null);
    const answer = await exchange(method, `${this.#url}${PREFIX}${path}`, {
      headers: [
        ...headers,
        ...(cookies.length === 0 ? [] : [["Cookie", cookies.join("; ")] as const]),
        ...(body === undefined ? [] : [["Content-Type", "application/json"] as const]),
      ],
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const set of answer.headers["set-cookie"] ?? []) {
      const [pair = ""] = set.split(";", 1);
      const kept = /Max-Age=0$/.test(set) ? null : pair;
      if (pair.includes("holdfast_browser=")) this.known = kept;
      else if (pair.includes("holdfast_company=")) this.company = kept;
      else this.cookie = kept;
    }
    return answer;
  }

  get = (path: string) => this.send("GET", path);
  post = (path: string, body?: unknown) => this.send("POST", path, body);
}
