import { Button } from "@holdfast/ui/button.tsx";
import { Icon } from "@holdfast/ui/icon.tsx";
import { Menu } from "@holdfast/ui/menu.tsx";
import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { Suspense } from "react";
import { call } from "../api/client.ts";
import { accountQuery } from "../api/queries.ts";
import { useAction } from "../api/useAction.ts";
import * as texts from "../catalogue/index.ts";
import { clearDrafts } from "./drafts.ts";
import { EnvironmentSwitch } from "./environment.tsx";
import { useLeave } from "./leave.ts";
import { DISPUTES_PAGE, FIRST_PAGE, NAVIGATION } from "./navigation.ts";
import { useTenant } from "./tenant.ts";
import { YourTurnCount } from "./yourTurn.tsx";

const SHORTCUT = texts.shell.shortcut[/Mac|iPhone|iPad/.test(navigator.userAgent) ? "mac" : "other"];
const LINK =
  "flex items-center justify-between rounded-small px-2 py-[6px] text-soft no-underline hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-wash aria-[current=page]:font-semibold aria-[current=page]:text-accent";

export function Sidebar({ onFind }: { readonly onFind: (() => void) | null }) {
  const { business } = useParams({ strict: false });
  return (
    <div className="sticky top-0 flex min-h-full flex-col gap-4 px-3 py-4 md:h-screen md:overflow-y-auto">
      <BusinessSwitch />
      {onFind === null ? null : (
        <Button className="justify-start max-md:hidden" aria-keyshortcuts="Control+K Meta+K" onClick={onFind}>
          <Icon name="search" />
          <span className="flex-1 text-left text-soft">{texts.shell.findById}</span>
          <kbd className="text-small text-soft">{SHORTCUT}</kbd>
        </Button>
      )}
      <Suspense>
        <DeskLink />
        {business === undefined ? null : <BusinessLinks />}
        <div className="mt-auto grid gap-3">
          {business === undefined ? null : <EnvironmentSwitch />}
          <AccountMenu />
        </div>
      </Suspense>
    </div>
  );
}

function BusinessSwitch() {
  const { business: id, environment = "test" } = useParams({ strict: false });
  const { businesses, user } = useSuspenseQuery(accountQuery).data;
  const navigate = useNavigate();
  const current = businesses.find((one) => one.id === id);
  return (
    <Menu
      kind="quiet"
      className="w-full justify-start px-2"
      items={[
        ...businesses.map((one) => ({
          text: one.name,
          isCurrent: one.id === id,
          onSelect: () => void navigate({ to: "/$business/$environment", params: { business: one.id, environment } }),
        })),
        {
          text: user.isOperator ? texts.shell.allBusinesses : texts.shell.yourBusinesses,
          onSelect: () => void navigate({ to: "/businesses" }),
        },
      ]}
    >
      <span aria-hidden="true" className="size-[24px] shrink-0 rounded-small bg-accent" />
      <span className="min-w-0 flex-1 truncate text-left font-semibold text-ink">
        {current?.name ?? texts.shell.product}
      </span>
      <Icon name="down" />
    </Menu>
  );
}

/** The arbiter's desk is of the deployment, not of a business. */
function DeskLink() {
  const { user } = useSuspenseQuery(accountQuery).data;
  return user.isArbiter ? (
    <nav aria-label={texts.shell.links.desk}>
      <Link to="/desk" className={LINK}>
        {texts.shell.links.desk}
      </Link>
    </nav>
  ) : null;
}

function BusinessLinks() {
  const { business, environment, may } = useTenant();
  return (
    <nav aria-label={texts.shell.business} className="grid gap-4">
      {NAVIGATION.map(({ title, links }) => (
        <div key={title} className="grid gap-px">
          {title === null ? null : <h2 className="px-2 pb-1 text-small font-semibold text-soft">{title}</h2>}
          {links
            .filter(({ needs }) => needs === undefined || may(needs))
            .map(({ text, to }) => (
              <Link
                key={to}
                to={to}
                params={{ business: business.id, environment }}
                // All other addresses of a business begin with that of its first page.
                activeOptions={{ exact: to === FIRST_PAGE }}
                className={LINK}
              >
                {text}
                {to === DISPUTES_PAGE ? <YourTurnCount /> : null}
              </Link>
            ))}
        </div>
      ))}
    </nav>
  );
}

function AccountMenu() {
  const { user } = useSuspenseQuery(accountQuery).data;
  const navigate = useNavigate();
  const leave = useLeave();
  const signOut = useAction({
    run: () => call("signOut"),
    done: () => {
      clearDrafts();
      return leave();
    },
  });
  return (
    <Menu
      kind="quiet"
      className="w-full justify-start px-2"
      items={[
        { text: texts.shell.yourAccount, onSelect: () => void navigate({ to: "/account" }) },
        { text: texts.shell.signOut, onSelect: () => signOut.mutate() },
      ]}
    >
      <span className="grid min-w-0 flex-1 text-left">
        <span className="truncate font-semibold text-ink">{user.name}</span>
        <span className="truncate text-small">{user.email}</span>
      </span>
      <Icon name="down" />
    </Menu>
  );
}
