import { Link, useLocation, useParams } from "@tanstack/react-router";
import { useTenant } from "./tenant.ts";

const TEXTS = {
  test: "Test: nothing here moves real money.",
  live: "Live: payments here are real money.",
} as const;

/** Says above every page of a business in which environment it is. */
export function EnvironmentBand() {
  const { environment } = useParams({ strict: false });
  if (environment === undefined) return null;
  return (
    <p
      className={`px-6 py-1 text-small font-semibold max-md:px-4 ${environment === "live" ? "bg-accent text-accent-ink" : "bg-wait-wash text-wait"}`}
    >
      {TEXTS[environment]}
    </p>
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

/** Leads to the same page in the other environment. */
export function EnvironmentSwitch() {
  const { business, environment, isConfigured } = useTenant();
  // Ids belong to an environment, so only the page itself is kept.
  const [, , , folder = ""] = useLocation().pathname.split("/");
  const page = LISTS[folder] ?? folder;
  return (
    <nav aria-label="Environment" className="grid gap-1">
      <div className="grid grid-cols-2 gap-1 rounded-small border border-line bg-card p-1">
        {(["test", "live"] as const).map((one) => (
          <Link
            key={one}
            to={`/${business.id}/${one}/${page}` as "/"}
            aria-current={one === environment ? "true" : undefined}
            className={`rounded-small px-2 py-1 text-center text-small font-semibold no-underline ${one === environment ? CHOSEN[one] : "text-soft hover:bg-hover"}`}
          >
            {one === "test" ? "Test" : "Live"}
          </Link>
        ))}
      </div>
      {isConfigured ? null : (
        <p className="px-1 text-small text-soft">No chain is configured for {environment} on this deployment.</p>
      )}
    </nav>
  );
}
