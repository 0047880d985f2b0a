import { encode } from "uqr";

/** A text as a code to scan: dark on white in both colour schemes, since cameras need that contrast. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto size-[168px] shrink-0 rounded-small border border-line bg-[#fff]"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
