const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

/** A time in the reader's zone, with the exact one when it is pointed at. `none`: what stands for a time that there is not. */
export const Time = ({ at, none = "–" }: { readonly at: string | null; readonly none?: string }) => {
  if (at === null) return <>{none}</>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={`${EXACT.format(date)} (${at})`} className="whitespace-nowrap">
      {SHORT.format(date)}
    </time>
  );
};
