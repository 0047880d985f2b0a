import { createContext, Script } from "node:vm";
import type { Page } from "playwright-core";
import { compileStyles } from "../../server/process/dashboardBuild.ts";
import { bundleRenderer } from "../../server/process/testing/dashboardRenderer.ts";
import type { Browser as StaffBrowser } from "../harness/staffBrowser.ts";
import { openBrowser, type Tab } from "./browser.ts";

/**
 * Pages of the dashboard without their script: React renders them to text in this process, on the real answers of the staff
 * API, and a blank page of the browser shows the text in the dashboard's styles. For what a page says in each of its states:
 * nothing can be pressed, and nothing reads on.
 */
interface Rendered {
  /** The page before its reads are answered. */
  readonly loading: string;
  readonly read: string;
}

/** The answer to a read in place of the service's own. */
interface Refusal {
  readonly status: number;
  readonly error: { readonly code: string; readonly message: string };
  readonly requestId: string;
}

/**
 * Renders the page at a path of the dashboard. `refusal`: the answer to every read of a business's objects; the frame reads
 * the business itself.
 */
export type Render = (path: string, refusal?: Refusal) => Promise<Rendered>;

const PREFIX = "/staff/v1";
const OF_BUSINESS = /^\/businesses\/[^/]+\/./;

let building: Promise<string> | undefined;

/** Returns a function that renders what the signed-in user reads, one page after the other. */
export async function openRenderer(user: StaffBrowser): Promise<Render> {
  building ??= bundleRenderer();
  const script = new Script(await building, { filename: "dashboard.js" });
  const answer: { refusal: Refusal | undefined } = { refusal: undefined };
  const render = script.runInContext(contextOf(user, answer)) as Render;
  return (path, refusal) => {
    answer.refusal = refusal;
    return render(`/dashboard${path.replace(/\/$/, "")}`);
  };
}

/** What the pages use of a browser, in a world of its own: nothing of it stays in this process. */
function contextOf(user: StaffBrowser, answer: { readonly refusal: Refusal | undefined }) {
  const fetch = async (address: string) => {
    const { refusal } = answer;
    const path = address.slice(PREFIX.length);
    if (refusal !== undefined && OF_BUSINESS.test(path)) {
      const headers = new Headers({ "request-id": refusal.requestId });
      return { ok: false, status: refusal.status, headers, json: async () => ({ error: refusal.error }) };
    }
    const { status, headers, json } = await user.get(path);
    return {
      ok: status < 300,
      status,
      headers: new Headers({ "request-id": String(headers["request-id"]) }),
      json: async () => json,
    };
  };
  const context = createContext({
    ...{ fetch, Headers, Request, Response, URL, URLSearchParams, AbortController, AbortSignal },
    ...{ MessageChannel: Channel, ReadableStream, TextDecoder, TextEncoder },
    ...{ setTimeout, clearTimeout, setInterval, clearInterval, queueMicrotask, structuredClone, console, crypto },
    document: { documentElement: { dataset: { base: "/dashboard", local: "" } } },
    localStorage: { getItem: () => null },
    navigator: { userAgent: "" },
  });
  new Script(ZONE).runInContext(context);
  return context;
}

/** React yields by a channel of this kind. Node's own would hold the process open. */
class Channel {
  readonly port1: { onmessage: (() => void) | null } = { onmessage: null };
  readonly port2 = { postMessage: () => void setImmediate(() => this.port1.onmessage?.()) };
}

/** The reader's language and zone are those of the tests' browser. */
const ZONE = `
  for (const name of ["DateTimeFormat", "NumberFormat"]) {
    const Own = Intl[name];
    Intl[name] = function (locale = "en-US", options = {}) {
      return new Own(locale, name === "DateTimeFormat" ? { timeZone: "UTC", ...options } : options);
    };
  }
`;

/** A blank page in the dashboard's styles. */
export async function openBlank(): Promise<Tab> {
  const tab = await (await openBrowser()).open();
  const head = `<title>Dashboard</title><style>${await compileStyles()}</style>`;
  await tab.page.setContent(
    `<!doctype html><html lang="en"><head>${head}</head><body><div id="root"></div></body></html>`,
  );
  return tab;
}

/** Shows a rendered page. */
export const show = (page: Page, html: string): Promise<void> =>
  page.evaluate(`document.getElementById("root").innerHTML = ${JSON.stringify(html)}; undefined`);
