import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from "react";

const KINDS = {
  /** The main action of a page or dialog. */
  primary: "border-transparent bg-accent text-accent-ink font-semibold",
  plain: "border-line bg-card text-ink font-medium hover:bg-hover",
  /** Removes something. */
  danger: "border-bad bg-card text-bad font-medium hover:bg-bad-wash",
  /** Text only, in rows and headers. */
  quiet: "border-transparent bg-transparent text-soft font-medium hover:bg-hover hover:text-ink",
} as const;

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: keyof typeof KINDS;
  /** The action is running: the button shows it, and a second press does nothing. */
  readonly isBusy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly children: ReactNode;
}

/** The look of a button, also for a link that is drawn as one. */
export const buttonClass = (kind: keyof typeof KINDS): string =>
  `inline-flex items-center justify-center gap-2 whitespace-nowrap rounded-small border px-3 py-[7px] text-body no-underline disabled:cursor-not-allowed disabled:opacity-55 ${KINDS[kind]}`;

export function Button({ kind = "plain", isBusy = false, type = "button", onClick, children, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      className={`${buttonClass(kind)} ${rest.className ?? ""}`}
    >
      {isBusy ? <Spinner /> : null}
      {children}
    </button>
  );
}

/** A link to a page of another site that looks like a button. */
export const ButtonLink = (props: AnchorHTMLAttributes<HTMLAnchorElement> & { readonly children: ReactNode }) => (
  <a target="_blank" rel="noopener noreferrer" {...props} className={buttonClass("plain")} />
);

/** Turns while the action is running. */
const Spinner = () => (
  <span
    aria-hidden="true"
    className="inline-block size-[14px] animate-[turn_0.8s_linear_infinite] rounded-full border-2 border-current border-r-transparent"
  />
);
