import { Badge } from "@holdfast/ui/badge.tsx";
import { Tabs } from "@holdfast/ui/tabs.tsx";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { accountQuery } from "../api/queries.ts";
import * as texts from "../catalogue/index.ts";
import { Page } from "../shell/page.tsx";
import { COMPANY } from "../signIn/companyName.ts";
import { AppSection } from "./appSection.tsx";
import { CompanySection } from "./companySection.tsx";
import { Emails } from "./emails.tsx";
import { History } from "./history.tsx";
import { PasskeySection } from "./passkeySection.tsx";
import { PasswordSection } from "./passwordSection.tsx";
import { Sessions } from "./sessions.tsx";

/** §13.1: a user's own account. */
export function AccountPage() {
  const { user } = useSuspenseQuery(accountQuery).data;
  const { tab = "security" } = useSearch({ strict: false });
  const navigate = useNavigate({ from: "/account" });
  return (
    <Page title={texts.account.title} text={texts.account.user(user.name, user.email)}>
      {user.isOperator || user.isArbiter ? (
        <div className="flex gap-2">
          {user.isOperator ? <Badge tone="info">{texts.account.isOperator}</Badge> : null}
          {user.isArbiter ? <Badge tone="info">{texts.account.isArbiter}</Badge> : null}
        </div>
      ) : null}
      <Tabs
        label={texts.account.tabs.label}
        value={tab === "sessions" || tab === "emails" || tab === "history" ? tab : "security"}
        onChange={(value) => void navigate({ search: { tab: value } })}
        tabs={[
          {
            value: "security",
            title: texts.account.tabs.security,
            content: (
              <div className="grid max-w-text gap-6">
                <PasskeySection />
                <AppSection />
                {COMPANY === null ? null : <CompanySection company={COMPANY} />}
                <PasswordSection />
              </div>
            ),
          },
          { value: "sessions", title: texts.account.tabs.sessions, content: <Sessions /> },
          { value: "emails", title: texts.account.tabs.emails, content: <Emails /> },
          { value: "history", title: texts.account.tabs.history, content: <History /> },
        ]}
      />
    </Page>
  );
}
