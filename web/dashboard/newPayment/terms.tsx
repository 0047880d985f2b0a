import { Select, TextField } from "@holdfast/ui/field.tsx";
import { useQuery } from "@tanstack/react-query";
import { read } from "../api/queries.ts";
import type { Asset } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { useTenant } from "../shell/tenant.ts";

const PERIODS = Object.entries(texts.objects.periods);

/** The token of a payment: a well-known one, or the address of a mint if none could be read. */
export const TokenField = ({ tokens }: { readonly tokens: readonly Asset[] }) =>
  tokens.length === 0 ? (
    <TextField
      label={texts.newPayment.tokenAddress}
      name="asset"
      autoComplete="off"
      spellCheck={false}
      hint={texts.newPayment.tokenAddressHint}
    />
  ) : (
    <Select
      label={texts.newPayment.token}
      name="asset"
      options={tokens.map((token) => [token.id, nameOf(token, tokens)] as const)}
    />
  );

/** The symbol, with the mint where two tokens have the same one. */
const nameOf = ({ id, symbol }: Asset, tokens: readonly Asset[]): string =>
  symbol === null
    ? id
    : tokens.some((other) => other.symbol === symbol && other.id !== id)
      ? `${symbol} (${folded(id)})`
      : symbol;

export const PeriodField = () => (
  <Select
    label={texts.newPayment.period}
    name="protectionPeriod"
    defaultValue="sevenDays"
    options={PERIODS}
    hint={texts.newPayment.periodHint}
  />
);

/** The wallet that is paid: one of the saved recipients, or an address if there are none. */
export function RecipientField() {
  const { path } = useTenant();
  const recipients = useQuery(read("listRecipients", { path }));
  const saved = recipients.data?.data.filter(({ heldUntil }) => heldUntil === null) ?? [];
  return saved.length === 0 ? (
    <TextField
      label={texts.newPayment.recipient}
      name="recipient"
      autoComplete="off"
      spellCheck={false}
      hint={texts.newPayment.recipientHint}
    />
  ) : (
    <Select
      label={texts.newPayment.recipient}
      name="recipient"
      options={saved.map(({ id, label }) => [id, `${label} (${folded(id)})`] as const)}
    />
  );
}

const folded = (address: string): string => `${address.slice(0, 4)}…${address.slice(-4)}`;
