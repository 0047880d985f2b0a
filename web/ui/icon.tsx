const PATHS = {
  close: "M4 4l8 8M12 4l-8 8",
  copy: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z",
  check: "M3 8.5l3.5 3.5L13 4.5",
  menu: "M2 4h12M2 8h12M2 12h12",
  down: "M4 6l4 4 4-4",
  left: "M10 3L5 8l5 5",
  right: "M6 3l5 5-5 5",
  search: "M7 11.5A4.5 4.5 0 107 2.5a4.5 4.5 0 000 9zM10.5 10.5l3.5 3.5",
  warning: "M8 2l6.5 12h-13zM8 6.5v3.5M8 12v.1",
  info: "M8 14A6 6 0 108 2a6 6 0 000 12zM8 7.5V11M8 5v.1",
} as const;

export type IconName = keyof typeof PATHS;

/** A drawing next to a text or a label: screen readers skip it. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg
    aria-hidden="true"
    viewBox="0 0 16 16"
    className="size-[16px] shrink-0"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinecap="round"
    strokeLinejoin="round"
  >
    <path d={PATHS[name]} />
  </svg>
);
