import { Time } from "@holdfast/ui/time.tsx";
import { write } from "../api/queries.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { DialogButton } from "../forms/buttons.tsx";
import { ConfirmDialog, IssueDialog } from "../forms/dialogs.tsx";
import { Section } from "../shell/page.tsx";
import { useTenant } from "../shell/tenant.ts";

/** The reader's own calendar of releases: off until they create its link. */
export function CalendarSection({ createdAt }: { readonly createdAt: string | null }) {
  const { path } = useTenant();
  return (
    <Section
      title={texts.home.calendar.title}
      text={
        <>
          {texts.home.calendar.text}{" "}
          {createdAt === null ? null : (
            <Filled text={texts.home.calendar.since} slots={{ time: <Time at={createdAt} /> }} />
          )}
        </>
      }
      actions={
        <>
          <DialogButton
            dialog={(close) => (
              <IssueDialog
                title={texts.home.calendar.create}
                text={texts.home.calendar.createText}
                submitText={texts.home.calendar.create}
                onClose={close}
                issue={async () => {
                  const { url } = await write("makeCalendar", { path });
                  return {
                    title: texts.home.calendar.createdTitle,
                    what: texts.home.calendar.link,
                    secret: url,
                    warning: texts.home.calendar.warning,
                  };
                }}
              >
                {null}
              </IssueDialog>
            )}
          >
            {texts.home.calendar.create}
          </DialogButton>
          {createdAt === null ? null : (
            <DialogButton
              kind="danger"
              dialog={(close) => (
                <ConfirmDialog
                  title={texts.home.calendar.revokeTitle}
                  text={texts.home.calendar.revokeText}
                  submitText={texts.home.calendar.revoke}
                  run={() => write("revokeCalendar", { path })}
                  said={texts.home.calendar.revoked}
                  onClose={close}
                />
              )}
            >
              {texts.home.calendar.revoke}
            </DialogButton>
          )}
        </>
      }
    />
  );
}
