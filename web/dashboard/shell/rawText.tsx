/** A text as it was transmitted. Markup in it has no effect; it is wrapped, and the keyboard scrolls long ones too. */
export const RawText = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <figure className="m-0 grid gap-1">
    <figcaption className="font-medium">{label}</figcaption>
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
      tabIndex={0}
      className="m-0 max-h-[50vh] overflow-auto whitespace-pre-wrap break-all rounded-small border border-line bg-paper px-3 py-2 text-small"
    >
      {text}
    </pre>
  </figure>
);
