import { Link } from "@tanstack/react-router";
import * as texts from "../catalogue/index.ts";
import { NewPaymentButton } from "../newPayment/newPayment.tsx";
import { ListPage } from "../pages/listPage.tsx";
import { useTenant } from "../shell/tenant.ts";
import { paymentColumns } from "./paymentColumns.tsx";
import { SearchForm } from "./searchForm.tsx";
import { useTokenOptions } from "./tokenOptions.ts";

const VIEWS = [
  { title: texts.paymentLists.payments.views.all, filters: {} },
  { title: texts.paymentLists.payments.views.protected, filters: { status: "protected" } },
  { title: texts.paymentLists.payments.views.disputed, filters: { status: "disputed" } },
  { title: texts.paymentLists.payments.views.released, filters: { status: "released" } },
  { title: texts.paymentLists.payments.views.refunded, filters: { status: "refunded" } },
  { title: texts.paymentLists.payments.views.late, filters: { late: "true" } },
  { title: texts.paymentLists.payments.views.duplicate, filters: { role: "duplicate" } },
  { title: texts.paymentLists.payments.views.overLimit, filters: { over_limit: "true" } },
] as const;

const SEQUENCE_DIGITS_MAX = 20;

/** The payments of an environment (§13.10.8). */
export function PaymentsPage() {
  const { path } = useTenant();
  return (
    <ListPage
      operation="listPayments"
      input={{ path }}
      title={texts.paymentLists.payments.title}
      text={texts.paymentLists.payments.text}
      filters={texts.paymentLists.payments.filters}
      options={useTokenOptions()}
      actions={
        <>
          <Link
            className="self-center max-md:order-last max-md:w-full"
            to="/$business/$environment/unmatched"
            params={path}
          >
            {texts.paymentLists.unmatched.link}
          </Link>
          <NewPaymentButton />
        </>
      }
      views={VIEWS}
      columns={paymentColumns}
      empty={texts.paymentLists.payments.empty}
      orderOf={({ recordedSequence }) => recordedSequence.padStart(SEQUENCE_DIGITS_MAX, "0")}
      otherOrders={["reference_prefix", "created_after", "created_before"]}
    >
      <SearchForm />
    </ListPage>
  );
}
