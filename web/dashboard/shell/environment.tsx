import { Link, Navigate, Outlet, useLocation } from "@tanstack/react-router";
import * as texts from "../catalogue/index.ts";
import { Page } from "./page.tsx";
import { useTenant } from "./tenant.ts";

/** Pages that are the same in both environments. */
const OF_BUSINESS: ReadonlySet<string> = new Set(["profile", "members", "audit"]);

/** The pages of a business, each below a line that names the environment. An environment that is not set up has no pages of its own. */
export function EnvironmentFrame() {
  const { business, environment, isConfigured } = useTenant();
  const { folder, isOf } = useFolder();
  const [other] = business.environments;
  // A link to a business need not know which environments are set up. While the next page loads, the address is its own.
  if (!isConfigured && folder === "" && other !== undefined && isOf(environment))
    return <Navigate to="/$business/$environment" params={{ business: business.id, environment: other }} replace />;
  if (!isConfigured) return OF_BUSINESS.has(folder) ? <Outlet /> : <NotSetUpPage />;
  return (
    <>
      <p
        className={`px-6 py-1 text-small font-semibold max-md:px-4 ${environment === "live" ? "bg-accent text-accent-ink" : "bg-wait-wash text-wait"}`}
      >
        {texts.shell.banners[environment]}
      </p>
      <Outlet />
    </>
  );
}

/** The folder of the address, since ids belong to an environment, and whether the address is of an environment. */
function useFolder() {
  const [, , shown, folder = ""] = useLocation().pathname.split("/");
  return { folder, isOf: (environment: string) => shown === environment };
}

function NotSetUpPage() {
  const { business, environment } = useTenant();
  const [other] = business.environments;
  return (
    <Page title={texts.shell.notSetUp(texts.shell.environments[environment])} text={texts.shell.notSetUpText}>
      {other === undefined ? null : (
        <p>
          <Link to="/$business/$environment" params={{ business: business.id, environment: other }}>
            {texts.shell.goTo(texts.shell.environments[other])}
          </Link>
        </p>
      )}
    </Page>
  );
}

const CHOSEN = { test: "bg-wait-wash text-wait", live: "bg-accent text-accent-ink" } as const;

/** The list that replaces pages of one object whose folder has no list. */
const LISTS: Readonly<Record<string, string>> = {
  deliveries: "webhooks",
  transactions: "events",
};

/** A link to the same page in the other environment, if there is one. */
export function EnvironmentSwitch() {
  const { business, environment } = useTenant();
  const { folder } = useFolder();
  const page = LISTS[folder] ?? folder;
  const missing = (["test", "live"] as const).filter((one) => !business.environments.includes(one));
  return (
    <nav aria-label={texts.shell.environment} className="grid gap-1">
      {business.environments.length === 0 ? null : (
        <div className="grid auto-cols-fr grid-flow-col gap-1 rounded-small border border-line bg-card p-1">
          {business.environments.map((one) => (
            <Link
              key={one}
              to={`/${business.id}/${one}${page === "" ? "" : `/${page}`}` as "/"}
              aria-current={one === environment ? "true" : undefined}
              className={`rounded-small px-2 py-1 text-center text-small font-semibold no-underline ${one === environment ? CHOSEN[one] : "text-soft hover:bg-hover"}`}
            >
              {texts.shell.environments[one]}
            </Link>
          ))}
        </div>
      )}
      {missing.map((one) => (
        <p key={one} className="px-1 text-small text-soft">
          {texts.shell.notSetUp(texts.shell.environments[one])}
        </p>
      ))}
    </nav>
  );
}
