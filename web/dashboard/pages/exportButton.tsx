import { Select, TextField } from "@holdfast/ui/field.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { useQuery } from "@tanstack/react-query";
import { ApiError, exportUrl, type ListId } from "../api/client.ts";
import { read } from "../api/queries.ts";
import * as texts from "../catalogue/index.ts";
import { DialogButton } from "../forms/buttons.tsx";
import { FormDialog } from "../forms/dialogs.tsx";
import type { FilterValues } from "./listFilters.ts";

type Format = keyof typeof texts.exports.formats;
const OF_EVERY_LIST: readonly Format[] = ["csv", "jsonl"];
const OF_PAYMENTS: readonly Format[] = [...OF_EVERY_LIST, "days", "values", "xero", "quickbooks"];
/** Lists whose rows have an intent with metadata. */
const WITH_METADATA: ReadonlySet<ListId> = new Set<ListId>(["listPayments", "listPaymentIntents"]);

interface ExportProps {
  readonly list: ListId;
  readonly path: Readonly<Record<string, string>>;
  readonly filters: FilterValues;
}

/** A button that downloads all rows that pass the filters of a list. */
export const ExportButton = (props: ExportProps) => (
  <DialogButton dialog={(close) => <ExportDialog {...props} onClose={close} />}>{texts.exports.button}</DialogButton>
);

function ExportDialog({ list, path, filters, onClose }: ExportProps & { readonly onClose: () => void }) {
  const isOfPayments = list === "listPayments";
  const hasMetadata = WITH_METADATA.has(list);
  const profile = useQuery(read("getBusinessProfile", { path: { business: path.business! } }));
  const currency = profile.data?.reportingCurrency ?? null;
  const download = async (values: Readonly<Record<string, string>>) => {
    const { format = "csv", timeZone = "", metadata = "", dates = "", amounts = "", opener = "programs" } = values;
    const isStatement = format === "xero" || format === "quickbooks";
    if (isStatement && filters.asset === undefined)
      throw new ApiError(400, { code: "invalid_request", param: "format", message: texts.exports.needsToken }, null);
    const options = new URLSearchParams({ time_zone: timeZone.trim() });
    if (format === "csv" || format === "jsonl") options.set("format", format);
    else options.set("layout", format);
    if (opener !== "programs" && format !== "jsonl" && !isStatement) {
      options.set("format", "spreadsheet");
      options.set("decimal", opener);
    }
    if (isStatement) options.set("dates", dates);
    if (isStatement && amounts !== "") options.set("amounts", amounts);
    for (const key of metadata.split(",")) if (key.trim() !== "") options.append("metadata", key.trim());
    const link = document.createElement("a");
    link.href = exportUrl(list, path, filters, options);
    link.download = "";
    link.click();
    showToast(texts.exports.begun);
    onClose();
  };
  return (
    <FormDialog
      title={texts.exports.title}
      text={texts.exports.text}
      submitText={texts.exports.submit}
      onClose={onClose}
      onSubmit={download}
    >
      <Select
        label={texts.exports.format}
        name="format"
        options={(isOfPayments ? OF_PAYMENTS : OF_EVERY_LIST).map((one) => [one, texts.exports.formats[one]] as const)}
      />
      <Select
        label={texts.exports.opens}
        name="opener"
        options={(["programs", "point", "comma"] as const).map((one) => [one, texts.exports.openers[one]] as const)}
      />
      <TextField
        label={texts.exports.timeZone}
        name="timeZone"
        key={profile.data?.timeZone}
        defaultValue={profile.data?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone}
        autoComplete="off"
        required
      />
      {hasMetadata ? (
        <TextField
          label={texts.exports.metadata}
          hint={texts.exports.metadataHint}
          name="metadata"
          autoComplete="off"
        />
      ) : null}
      {isOfPayments ? (
        <Select
          label={texts.exports.dates}
          name="dates"
          options={(["ymd", "dmy", "mdy"] as const).map((one) => [one, texts.exports.dateStyles[one]] as const)}
        />
      ) : null}
      {isOfPayments && currency !== null ? (
        <Select
          label={texts.exports.amounts}
          name="amounts"
          options={[
            ["token", texts.exports.inTokens],
            ["fiat", currency],
          ]}
        />
      ) : null}
    </FormDialog>
  );
}
