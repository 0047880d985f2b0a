import { EmptyState } from "@holdfast/ui/states.tsx";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { Page } from "../shell/page.tsx";
import { useTenant } from "../shell/tenant.ts";
import { Timeline } from "./timeline.tsx";

/** The page of an address that is no bound payment. */
export function UnboundPage({ id }: { readonly id: string }) {
  const { path } = useTenant();
  return (
    <Page title={texts.payments.payment}>
      <EmptyState title={texts.payments.unboundTitle}>
        <Filled
          text={texts.payments.unboundText(path.environment)}
          slots={{ address: <span className="break-all">{id}</span> }}
        />
      </EmptyState>
      <Timeline of={{ payment: id }} />
    </Page>
  );
}
