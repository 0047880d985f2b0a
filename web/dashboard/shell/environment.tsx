import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { Page } from "./page.tsx";
import { useTenant } from "./tenant.ts";

const TEXTS = {
  test: "Test: nothing here moves real money.",
  live: "Live: payments here are real money.",
} as const;

const NAMES = { test: "Test", live: "Live" } as const;

/** Pages that are the same in both environments. */
const OF_BUSINESS: ReadonlySet<string> = new Set(["profile", "members", "audit"]);

/** The pages of a business: above each stands in which environment it is, and one that is not set up has none of its own. */
export function EnvironmentFrame() {
  const { environment, isConfigured } = useTenant();
  const folder = useFolder();
  if (!isConfigured) return OF_BUSINESS.has(folder) ? <Outlet /> : <NotSetUpPage />;
  return (
    <>
      <p
        className={`px-6 py-1 text-small font-semibold max-md:px-4 ${environment === "live" ? "bg-accent text-accent-ink" : "bg-wait-wash text-wait"}`}
      >
        {TEXTS[environment]}
      </p>
      <Outlet />
    </>
  );
}

/** Ids belong to an environment, so of a path only the page itself is kept. */
function useFolder(): string {
  const [, , , folder = ""] = useLocation().pathname.split("/");
  return folder;
}

function NotSetUpPage() {
  const { business, environment } = useTenant();
  const [other] = business.environments;
  return (
    <Page
      title={`${NAMES[environment]} is not set up on this deployment`}
      text="Without its chain there are no keys, payments and events here. The operator of the deployment names the chain's nodes in its settings."
    >
      {other === undefined ? null : (
        <p>
          <Link to="/$business/$environment" params={{ business: business.id, environment: other }}>
            Go to {NAMES[other]}
          </Link>
        </p>
      )}
    </Page>
  );
}

const CHOSEN = { test: "bg-wait-wash text-wait", live: "bg-accent text-accent-ink" } as const;

/** Where a page of one thing leads whose folder has no list of its own. */
const LISTS: Readonly<Record<string, string>> = {
  deliveries: "webhooks",
  intents: "events",
  payments: "events",
  transactions: "events",
};

/** Leads to the same page in the other environment, where there is one. */
export function EnvironmentSwitch() {
  const { business, environment } = useTenant();
  const folder = useFolder();
  const page = LISTS[folder] ?? folder;
  const missing = (["test", "live"] as const).filter((one) => !business.environments.includes(one));
  return (
    <nav aria-label="Environment" className="grid gap-1">
      {business.environments.length === 0 ? null : (
        <div className="grid auto-cols-fr grid-flow-col gap-1 rounded-small border border-line bg-card p-1">
          {business.environments.map((one) => (
            <Link
              key={one}
              to={`/${business.id}/${one}/${page}` as "/"}
              aria-current={one === environment ? "true" : undefined}
              className={`rounded-small px-2 py-1 text-center text-small font-semibold no-underline ${one === environment ? CHOSEN[one] : "text-soft hover:bg-hover"}`}
            >
              {NAMES[one]}
            </Link>
          ))}
        </div>
      )}
      {missing.map((one) => (
        <p key={one} className="px-1 text-small text-soft">
          {NAMES[one]} is not set up on this deployment.
        </p>
      ))}
    </nav>
  );
}
