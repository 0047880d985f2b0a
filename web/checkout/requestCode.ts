import { encode } from "uqr";

const SVG = "http://www.w3.org/2000/svg";

/** Draws a link as a code to scan: dark on white in both colour schemes, since cameras need that contrast. */
export function drawCode(link: string): SVGElement {
  const { data, size } = encode(link, { border: 3, ecc: "M" });
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((dark) => (dark ? "1" : "0"))
        .join("")
        .matchAll(/1+/g),
    ].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
  );
  const svg = document.createElementNS(SVG, "svg");
  const attributes = {
    viewBox: `0 0 ${size} ${size}`,
    role: "img",
    "aria-label": "QR",
    "shape-rendering": "crispEdges",
  };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  for (const [fill, d] of [
    ["#fff", `M0 0h${size}v${size}H0z`],
    ["#000", runs.join("")],
  ] as const) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("fill", fill);
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}
