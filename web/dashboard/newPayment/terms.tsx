import { Select, TextField } from "@holdfast/ui/field.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../api/queries.ts";
import type { Asset, Price } from "../api/schema.ts";
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

/** The currencies for which rates are usual. The API takes every one. */
const CURRENCIES = [
  ...["AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "IDR", "ILS", "INR", "ISK", "JPY"],
  ...["KRW", "MXN", "MYR", "NOK", "NZD", "PHP", "PLN", "RON", "SEK", "SGD", "THB", "TRY", "USD", "ZAR"],
] as const;
const UNITS = [["", texts.newPayment.inToken], ...CURRENCIES.map((one) => [one, one] as const)] as const;

interface ValueFieldsProps {
  readonly tokens: readonly Asset[];
  readonly amountHint?: string;
  readonly autoFocus?: boolean;
}

/** The value of a payment, an amount of its token or a price in a currency, and the token. {@link priceOrAmount} reads it. */
export function ValueFields({ tokens, amountHint, autoFocus = false }: ValueFieldsProps) {
  const [unit, setUnit] = useState("");
  const isPrice = unit !== "";
  return (
    <>
      <div className="grid grid-cols-2 items-start gap-3">
        <TextField
          label={isPrice ? texts.newPayment.price : texts.common.amount}
          name={isPrice ? "price" : "amount"}
          inputMode="decimal"
          autoComplete="off"
          autoFocus={autoFocus}
          hint={isPrice ? undefined : amountHint}
        />
        <Select
          label={texts.newPayment.unit}
          name="unit"
          value={unit}
          onChange={({ currentTarget }) => setUnit(currentTarget.value)}
          options={UNITS}
        />
      </div>
      {isPrice ? <p className="text-small text-soft">{texts.newPayment.priceHint}</p> : null}
      <TokenField tokens={tokens} />
    </>
  );
}

/** The price among a form's values, or its amount as it was typed. */
export const priceOrAmount = ({
  amount = "",
  price = "",
  unit = "",
}: Readonly<Record<"amount" | "price" | "unit", string | undefined>>) =>
  unit === "" ? { amount: amount.trim() } : { price: { currency: unit as Price["currency"], amount: price.trim() } };

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
