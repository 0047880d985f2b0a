import type { Answer } from "../../../../tests/harness/http.ts";
import type { Browser } from "../../../../tests/harness/staffBrowser.ts";
import { type StaffServer, startStaffServer } from "../../../process/testing/staffServer.ts";
import { sql } from "../../../store/sql.ts";
import { createConfirmStep } from "../companySignIn/confirm.ts";
import type { CompanySettings, Grant, GroupRole } from "../provider/company.ts";
import { openProvider } from "../provider/provider.ts";
import { startProvider, type TestPerson, type TestProvider } from "./provider.ts";

/** A staff API with a company's provider. */
export interface CompanyWorld extends AsyncDisposable {
  readonly server: StaffServer;
  readonly provider: TestProvider;
  /** Lets a group give roles in businesses, or the rights of an operator. */
  map(group: string, roles: Readonly<Record<string, GroupRole>>, isOperator?: boolean): void;
  /** Adds a person to the provider. */
  addPerson(subject: string, person?: Partial<TestPerson>): void;
  /** Begins a way, and walks a person through the provider. Returns the answer that the browser brings. */
  visit(browser: Browser, subject: string, path?: string): Promise<string>;
  /** The whole way of a person. */
  enter(browser: Browser, subject: string, path?: string): Promise<Answer>;
  /** Lets time pass for all sessions, and confirms those that are due unless `alone`. */
  pass(minutes: number, alone?: boolean): Promise<void>;
}

export const arrive = (browser: Browser, answer: string): Promise<Answer> =>
  browser.post("/sign-in/company/answer", { answer });

/** `pages`: the dashboard too, for a real browser. */
export async function startCompany(pages = false): Promise<CompanyWorld> {
  const groups = new Map<string, Grant>();
  let provider!: TestProvider;
  const server = await startStaffServer({
    pages,
    company: async (dashboardUrl) => {
      provider = await startProvider(dashboardUrl, groups as CompanySettings["groups"]);
      return openProvider(provider.settings, dashboardUrl, provider.reach, 0);
    },
  });
  const { database, ctx } = server;
  const confirm = createConfirmStep(ctx, { provider: ctx.company!, sealing: ctx.sealing! });
  const world: CompanyWorld = {
    server,
    provider,
    map: (group, roles, isOperator = false) =>
      void groups.set(group, { roles: new Map(Object.entries(roles)), isOperator }),
    addPerson: (subject, person = {}) =>
      void provider.people.set(subject, {
        email: `${subject}@shop.example`,
        email_verified: true,
        name: subject,
        groups: [],
        ...person,
      }),
    visit: async (browser, subject, path = "/sign-in/company") => {
      provider.next = subject;
      const begun = await browser.post(path);
      if (begun.status !== 200) throw new Error(`${path} failed: ${begun.text}`);
      return provider.walk(begun.json.url);
    },
    enter: async (browser, subject, path) => arrive(browser, await world.visit(browser, subject, path)),
    pass: async (minutes, alone = false) => {
      await database.rows(sql`
        update sessions set company_confirmed_at = company_confirmed_at - make_interval(mins => ${minutes}::integer),
          company_due_at = company_due_at - make_interval(mins => ${minutes}::integer)`);
      if (!alone) await confirm();
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
  return world;
}
