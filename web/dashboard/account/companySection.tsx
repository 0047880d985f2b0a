import { Badge } from "@holdfast/ui/badge.tsx";
import { useSuspenseQuery } from "@tanstack/react-query";
import { accountQuery, write } from "../api/queries.ts";
import * as texts from "../catalogue/index.ts";
import { DialogButton } from "../forms/buttons.tsx";
import { ConfirmDialog } from "../forms/dialogs.tsx";
import { Section } from "../shell/page.tsx";
import { CompanyButton } from "../signIn/company.tsx";

/** The link to the company's provider (§13.24). */
export function CompanySection({ company }: { readonly company: string }) {
  const { isLinked } = useSuspenseQuery(accountQuery).data.signIn;
  const action = isLinked ? (
    <DialogButton
      dialog={(close) => (
        <ConfirmDialog
          title={texts.account.company.unlinkTitle(company)}
          text={texts.account.company.unlinkText}
          submitText={texts.account.company.unlink}
          run={() => write("unlinkCompany", {})}
          said={texts.account.company.unlinked}
          onClose={close}
        />
      )}
    >
      {texts.account.company.unlink}
    </DialogButton>
  ) : (
    <CompanyButton departure="beginCompanyLink" returnTo="/account">
      {texts.account.company.link(company)}
    </CompanyButton>
  );
  return (
    <Section title={texts.account.company.title(company)} text={texts.account.company.text} actions={action}>
      {isLinked ? (
        <p>
          <Badge tone="good">{texts.account.company.isLinked}</Badge>
        </p>
      ) : null}
    </Section>
  );
}
