import type { ReactNode } from "react";

/** One bar says who has the money: colour and pattern repeat the text below it. */
const FILLS = {
  /** Went to the buyer. */
  returned: "bg-info",
  /** Goes to the buyer. */
  returning: "bg-[repeating-linear-gradient(-45deg,var(--info)_0_4px,var(--info-wash)_4px_8px)]",
  /** Waits in the escrow. */
  held: "bg-[repeating-linear-gradient(-45deg,var(--accent)_0_4px,var(--accent-wash)_4px_8px)]",
  /** Went to the recipient. */
  released: "bg-accent",
} as const;

export interface Share {
  readonly fill: keyof typeof FILLS;
  readonly amount: bigint;
  /** The amount in words. */
  readonly title: ReactNode;
  readonly text: ReactNode;
}

/** Widths are in parts of ten thousand: an amount may be larger than any exact number. */
const WHOLE = 10_000n;

/** The parts of an amount as one bar, with each part in words below it. */
export function ShareBar({ shares }: { readonly shares: readonly Share[] }) {
  const all = shares.reduce((sum, { amount }) => sum + amount, 0n);
  const shown = shares.filter(({ amount }) => amount > 0n);
  return (
    <div className="grid gap-3">
      <div aria-hidden="true" className="flex h-[12px] gap-[2px] overflow-hidden rounded-full bg-hover">
        {shown.map(({ fill, amount }) => (
          // A part too small to see is still a part.
          <span
            key={fill}
            className={`min-w-[3px] ${FILLS[fill]}`}
            style={{ flexGrow: Number((amount * WHOLE) / all), flexBasis: 0 }}
          />
        ))}
      </div>
      <ul className="m-0 flex list-none flex-wrap gap-x-6 gap-y-2 p-0">
        {shares.map(({ fill, title, text }) => (
          <li key={fill} className="grid grid-cols-[12px_minmax(0,1fr)] items-center gap-x-2">
            <span aria-hidden="true" className={`size-[10px] rounded-[3px] ${FILLS[fill]}`} />
            <span className="font-semibold tabular-nums">{title}</span>
            <span className="col-start-2 text-small text-soft">{text}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
