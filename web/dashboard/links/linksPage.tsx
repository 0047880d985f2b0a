import { Badge, type Tone } from "@holdfast/ui/badge.tsx";
import { Menu } from "@holdfast/ui/menu.tsx";
import type { Column } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { PaymentLink } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { DialogButton } from "../forms/buttons.tsx";
import { fiatText } from "../objects/fiat.ts";
import { ListPage } from "../pages/listPage.tsx";
import { RowAmount } from "../payments/rowCells.tsx";
import { useTenant } from "../shell/tenant.ts";
import { CloseDialog, LinkDialog, NewLinkDialog } from "./dialogs.tsx";

const TONES: Readonly<Record<PaymentLink["state"], Tone>> = {
  open: "good",
  full: "info",
  expired: "neutral",
  closed: "neutral",
};

const COLUMNS: readonly Column<PaymentLink>[] = [
  {
    title: texts.links.link,
    cell: (link) => (
      <span className="grid gap-1">
        <span className="break-words font-semibold">{link.title}</span>
        <span className="text-small text-soft">
          {link.amount !== null ? (
            <RowAmount amount={link.amount} asset={link.asset} />
          ) : link.price === null ? (
            texts.links.anyAmount
          ) : (
            fiatText(link.price.amount, link.price.currency)
          )}
        </span>
        {link.seatsMax === null ? null : (
          <span className="text-small text-soft md:hidden">{texts.links.paidOf(link.paidSeats, link.seatsMax)}</span>
        )}
      </span>
    ),
  },
  {
    title: texts.common.status,
    cell: ({ state }) => <Badge tone={TONES[state]}>{texts.links.states[state]}</Badge>,
  },
  {
    title: texts.links.seats,
    cell: ({ seatsMax, paidSeats }) => (
      <span className="whitespace-nowrap tabular-nums">
        {seatsMax === null ? texts.links.noLimit : texts.links.seatsOf(paidSeats, seatsMax)}
      </span>
    ),
    wideOnly: true,
  },
  {
    title: texts.common.expires,
    cell: ({ expiresAt }) => <Time at={expiresAt} none={texts.links.never} inRow />,
    wideOnly: true,
  },
  { title: texts.common.created, cell: ({ createdAt }) => <Time at={createdAt} inRow />, wideOnly: true },
  { title: texts.common.actions, hideTitle: true, end: true, cell: (link) => <LinkMenu link={link} /> },
];

/** The payment links of an environment (§13.21). */
export function LinksPage() {
  const { path, may } = useTenant();
  return (
    <ListPage
      operation="listPaymentLinks"
      input={{ path }}
      title={texts.links.title}
      text={texts.links.text}
      filters={{}}
      columns={COLUMNS}
      empty={texts.links.empty}
      actions={
        may("create_payments") ? (
          <DialogButton kind="primary" dialog={(close) => <NewLinkDialog onClose={close} />}>
            {texts.links.create}
          </DialogButton>
        ) : undefined
      }
    />
  );
}

const DIALOGS = { share: LinkDialog, close: CloseDialog };

function LinkMenu({ link }: { readonly link: PaymentLink }) {
  const { path, may } = useTenant();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<keyof typeof DIALOGS | null>(null);
  const Chosen = chosen === null ? null : DIALOGS[chosen];
  const items = [
    { text: texts.links.share, onSelect: () => setChosen("share") },
    {
      text: texts.links.payments,
      onSelect: () =>
        void navigate({
          to: "/$business/$environment/payments",
          params: path,
          search: { reference_prefix: `${link.title} #` },
        }),
    },
    ...(may("create_payments") && link.closedAt === null
      ? [{ text: texts.links.close, onSelect: () => setChosen("close"), isDanger: true }]
      : []),
  ];
  return (
    <>
      <Menu items={items} aria-label={texts.links.actionsOf(link.title)}>
        …
      </Menu>
      {Chosen === null ? null : <Chosen link={link} onClose={() => setChosen(null)} />}
    </>
  );
}
