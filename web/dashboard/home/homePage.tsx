import { Button, buttonClass } from "@holdfast/ui/button.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { read, SLOW_MS } from "../api/queries.ts";
import type { Overview } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { NewPayment, NewPaymentButton } from "../newPayment/newPayment.tsx";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { dayText } from "./days.ts";
import { EscrowSection } from "./escrow.tsx";
import { Matters } from "./matters.tsx";
import { VolumeSection } from "./volume.tsx";

/** What needs a person, and where the money is. */
export function HomePage() {
  const { path } = useTenant();
  const { token } = useSearch({ strict: false });
  const [isCreating, setCreating] = useState(false);
  const overview = useQuery({
    ...read("getOverview", { path, query: { token } }),
    refetchInterval: SLOW_MS,
    // The page stays while another token is read.
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title={texts.home.title}
      text={<span role="status">{overview.data === undefined ? null : summaryOf(overview.data)}</span>}
      // Before the first payment, the button stands in the middle of the page.
      actions={overview.data?.volume == null ? undefined : <NewPaymentButton />}
    >
      {overview.isError && overview.data !== undefined ? (
        <p className="text-small text-soft">{texts.pages.isBehind}</p>
      ) : null}
      <QueryState query={overview}>
        {(data) => <Contents overview={data} onCreate={() => setCreating(true)} />}
      </QueryState>
      {/* The first payment takes the button away, and not the dialog that shows it. */}
      {isCreating ? <NewPayment onClose={() => setCreating(false)} /> : null}
    </Page>
  );
}

function summaryOf({ matters, hasMoreMatters, assets }: Overview): string {
  if (matters.length > 0) return texts.home.needs(matters.length, hasMoreMatters);
  const [next] = assets.flatMap(({ releases }) => releases.map(({ from }) => from)).toSorted();
  return next === undefined ? texts.home.nothing : texts.home.nextRelease(dayText(next));
}

function Contents({ overview, onCreate }: { readonly overview: Overview; readonly onCreate: () => void }) {
  const { path, may } = useTenant();
  const navigate = useNavigate();
  const { matters, assets, at, today, volume } = overview;
  const asset = assets.find((one) => one.asset === volume?.asset);
  return (
    <>
      {matters.length === 0 ? null : <Matters matters={matters} at={at} />}
      {overview.hasMoreMatters && matters.some(({ kind }) => kind === "unmatched") ? (
        <p>
          <Link to="/$business/$environment/unmatched" params={path}>
            {texts.paymentLists.unmatched.link}
          </Link>
        </p>
      ) : null}
      {asset === undefined || volume === null ? (
        <EmptyState
          title={texts.home.emptyTitle}
          action={
            may("manage_keys") || may("create_payments") ? (
              <span className="flex flex-wrap justify-center gap-2">
                {may("create_payments") ? (
                  <Button kind="primary" onClick={onCreate}>
                    {texts.newPayment.open}
                  </Button>
                ) : null}
                {may("manage_keys") ? (
                  <Link to="/$business/$environment/keys" params={path} className={buttonClass("plain")}>
                    {texts.home.emptyAction}
                  </Link>
                ) : null}
              </span>
            ) : undefined
          }
        >
          {texts.home.emptyText}
        </EmptyState>
      ) : (
        <>
          <EscrowSection
            asset={asset}
            others={assets}
            isMore={overview.hasMoreAssets}
            today={today}
            onChoose={(chosen) => void navigate({ to: ".", search: { token: chosen }, replace: true })}
          />
          <VolumeSection asset={asset} paid={volume.weeks} today={today} />
        </>
      )}
    </>
  );
}
