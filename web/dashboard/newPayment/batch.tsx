import { Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { Actions, Dialog } from "@holdfast/ui/dialog.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiError } from "../api/client.ts";
import { read, write } from "../api/queries.ts";
import type { Asset, NewPaymentBatch, PaymentBatch } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { ActionButton } from "../forms/buttons.tsx";
import { Form } from "../forms/form.tsx";
import { useAmounts } from "../objects/amount.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { resultCsv } from "./resultCsv.ts";
import { PeriodField, RecipientField, TokenField } from "./terms.tsx";
import { formatUnits } from "./units.ts";

type File = Omit<NewPaymentBatch, "try">;
type Step =
  | { readonly at: "form" }
  | { readonly at: "tried" | "made"; readonly file: File; readonly result: PaymentBatch };

const FILE_BYTES_MAX = 240_000;
const ERRORS_SHOWN = 20;

/** Creates a payment for each row of a file: it is checked first, and then all are created or none (§13.18.5). */
export function BatchDialog({ onClose }: { readonly onClose: () => void }) {
  const { path } = useTenant();
  const tokens = useQuery(read("listPayableAssets", { path }));
  const [step, setStep] = useState<Step>({ at: "form" });
  if (step.at === "form")
    return (
      <Dialog isOpen onClose={onClose} title={texts.newPayment.batch.title} text={texts.newPayment.batch.text}>
        <QueryState query={tokens}>
          {({ data }) => (
            <Form
              submitText={texts.newPayment.batch.check}
              onCancel={onClose}
              onSubmit={async (values) => {
                const file = { ...(values as Omit<File, "csv">), csv: await readChosen() };
                const result = await write("createPaymentBatch", { path, body: { ...file, try: true } });
                setStep({ at: result.repeated ? "made" : "tried", file, result });
              }}
            >
              <TextField
                label={texts.newPayment.batch.file}
                type="file"
                accept=".csv,text/csv"
                data-file
                hint={<FileHint />}
              />
              <p className="text-small text-soft">{texts.newPayment.batch.defaults}</p>
              <TokenField tokens={data} />
              <PeriodField />
              <RecipientField />
            </Form>
          )}
        </QueryState>
      </Dialog>
    );
  const { result, file } = step;
  if (result.errors.length > 0)
    return (
      <Frame title={texts.newPayment.batch.wrongTitle(result.errors.length)} onClose={onClose}>
        <Errors errors={result.errors} />
        <Actions>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button kind="primary" onClick={() => setStep({ at: "form" })}>
            {texts.newPayment.batch.again}
          </Button>
        </Actions>
      </Frame>
    );
  if (step.at === "tried")
    return (
      <Frame title={texts.newPayment.batch.triedTitle(result.payments.length)} onClose={onClose}>
        <Totals payments={result.payments} />
        <FirstRows payments={result.payments} />
        <p className="text-soft">{texts.newPayment.batch.triedText}</p>
        <Actions>
          <Button onClick={() => setStep({ at: "form" })}>{texts.common.back}</Button>
          <ActionButton
            kind="primary"
            run={() => write("createPaymentBatch", { path, body: { ...file, try: false } })}
            done={(made) => setStep({ at: "made", file, result: made })}
          >
            {texts.newPayment.batch.create(result.payments.length)}
          </ActionButton>
        </Actions>
      </Frame>
    );
  return (
    <Frame title={texts.newPayment.batch.madeTitle(result.payments.length)} onClose={onClose}>
      {result.repeated ? <Notice tone="wait">{texts.newPayment.batch.repeated}</Notice> : null}
      <Totals payments={result.payments} />
      <p className="text-soft">{texts.newPayment.batch.madeText}</p>
      <Actions>
        <Button onClick={onClose}>{texts.common.done}</Button>
        <Download payments={result.payments} tokens={tokens.data?.data ?? []} />
      </Actions>
    </Frame>
  );
}

const Frame = ({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) => (
  <Dialog isOpen staysOpen onClose={onClose} title={title}>
    {children}
  </Dialog>
);

/** The text of the file that the form's field holds. */
async function readChosen(): Promise<string> {
  const file = document.querySelector<HTMLInputElement>("input[data-file]")?.files?.[0];
  if (file === undefined) throw unread(texts.newPayment.batch.noFile);
  if (file.size > FILE_BYTES_MAX) throw unread(texts.newPayment.batch.tooLarge);
  return file.text();
}

const unread = (message: string) => new ApiError(0, { code: "invalid_request", message }, null);

const FileHint = () => (
  <>
    {texts.newPayment.batch.columns}{" "}
    <a
      className="underline"
      download="payments.csv"
      href={`data:text/csv;charset=utf-8,${encodeURIComponent(texts.newPayment.batch.exampleFile)}`}
    >
      {texts.newPayment.batch.example}
    </a>
  </>
);

const Errors = ({ errors }: Pick<PaymentBatch, "errors">) => (
  <>
    <p className="text-soft">{texts.newPayment.batch.wrongText}</p>
    <ul className="m-0 grid list-none gap-2 p-0">
      {errors.slice(0, ERRORS_SHOWN).map(({ line, message }) => (
        <li key={line} className="grid gap-x-3 md:grid-cols-[72px_minmax(0,1fr)]">
          <b className="font-semibold tabular-nums">{texts.newPayment.batch.line(line)}</b>
          <span className="break-words">{message}</span>
        </li>
      ))}
    </ul>
    {errors.length > ERRORS_SHOWN ? (
      <p className="text-soft">{texts.newPayment.batch.more(errors.length - ERRORS_SHOWN)}</p>
    ) : null}
  </>
);

const ROWS_SHOWN = 5;

/** The first rows as they were read: a wrong column is seen before anything is created. */
function FirstRows({ payments }: Pick<PaymentBatch, "payments">) {
  const first = payments.slice(0, ROWS_SHOWN);
  const show = useAmounts([...new Set(first.map(({ asset }) => asset))]);
  return (
    <ul aria-label={texts.newPayment.batch.firstRows} className="m-0 grid list-none gap-1 p-0 text-small">
      {first.map(({ intent, merchantReference, amount, asset }) => (
        <li key={intent} className="flex flex-wrap justify-between gap-x-3">
          <span className="min-w-0 break-words">{merchantReference}</span>
          <span className="tabular-nums">{show?.(amount, asset)}</span>
        </li>
      ))}
      {payments.length > ROWS_SHOWN ? (
        <li className="text-soft">{texts.newPayment.batch.moreRows(payments.length - ROWS_SHOWN)}</li>
      ) : null}
    </ul>
  );
}

/** The sum of each token. */
function Totals({ payments }: Pick<PaymentBatch, "payments">) {
  const sums = new Map<string, bigint>();
  for (const { asset, amount } of payments) sums.set(asset, (sums.get(asset) ?? 0n) + BigInt(amount));
  const show = useAmounts([...sums.keys()]);
  return (
    <ul className="m-0 grid list-none gap-1 p-0">
      {[...sums].map(([asset, sum]) => (
        <li key={asset} className="break-words text-lead font-semibold tabular-nums">
          {show?.(String(sum), asset)}
        </li>
      ))}
    </ul>
  );
}

/** Saves the payments with their links as a file. */
function Download({ payments, tokens }: Pick<PaymentBatch, "payments"> & { readonly tokens: readonly Asset[] }) {
  const save = () => {
    const text = resultCsv(payments, (amount, asset) => {
      const token = tokens.find(({ id }) => id === asset);
      return token === undefined ? [amount, asset] : [formatUnits(amount, token.decimals), token.symbol ?? asset];
    });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.download = "payment-links.csv";
    link.click();
    // The browser reads the file after the press.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };
  return (
    <Button kind="primary" onClick={save}>
      {texts.newPayment.batch.download}
    </Button>
  );
}
