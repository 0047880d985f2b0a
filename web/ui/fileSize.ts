const MEGABYTE = 1_000_000;

/** The size of a file in the reader's form: "185 kB", "1.2 MB". */
export function fileSize(bytes: number, locale: string | undefined): string {
  const [unit, value] = bytes < MEGABYTE ? ["kilobyte", Math.ceil(bytes / 1_000)] : ["megabyte", bytes / MEGABYTE];
  return new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits: 1 }).format(value);
}
