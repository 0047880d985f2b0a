import type { CheckResult, Report } from "./conform.ts";
import { FRAMEWORKS } from "./mend.ts";

const LABELS = { ok: "ok", fail: "FAIL", note: "note", not_judged: "not judged" } as const;

const indented = (text: string, by: string): string => text.replace(/^/gm, by);

function describeFinding({ name, says, finding }: CheckResult): string {
  if (finding === null) return "";
  const mends = FRAMEWORKS.map((framework) => [framework, finding.mend[framework]] as const);
  // A mistake behind the route is mended in the same way everywhere.
  const isSame = mends.every(([, lines]) => lines === mends[0]![1]);
  const shown = isSame ? [["Express, Fastify, Hono, Next", mends[0]![1]] as const] : mends;
  return [
    `${name}: ${says}`,
    `  sent   ${finding.sent}`,
    `  came   ${finding.came}`,
    `  costs  ${finding.costs}`,
    ...shown.map(([framework, lines]) => `  mend   in ${framework}:\n${indented(lines, "           ")}`),
  ].join("\n");
}

/** A check's line. */
export const describeResult = ({ name, verdict, says, reason }: CheckResult): string =>
  `${LABELS[verdict].padEnd(10)}  ${name.padEnd(18)}  ${reason === null ? says : `${says} (${reason})`}`;

/** A report in words: a line for each check, then each finding. */
export const describeReport = (report: Report): string =>
  [report.checks.map(describeResult).join("\n"), describeEnd(report)].join("\n\n");

/** The findings and the sum, below the lines. */
export function describeEnd({ url, checks, schemes, passed, tookMs }: Report): string {
  const count = (verdict: CheckResult["verdict"]) => checks.filter((one) => one.verdict === verdict).length;
  const findings = checks.filter(({ finding }) => finding !== null).map(describeFinding);
  const sums = `${count("ok")} ok, ${count("fail")} failed, ${count("note")} notes, ${count("not_judged")} not judged`;
  return [
    ...findings,
    `${passed ? "Passed" : "Failed"}: ${url}, ${sums}, in ${(tookMs / 1_000).toFixed(1)} s. Verified by: ${schemes.join(", ") || "nothing"}.`,
  ].join("\n\n");
}

const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    // Characters that XML cannot have.
    .replaceAll(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd");

/** A report as JUnit XML, as CI systems read it. */
export function junitOf({ checks, tookMs }: Report): string {
  const cases = checks.map((one) => {
    const head = `  <testcase classname="holdfast.${one.group}" name="${escaped(one.name)}"`;
    if (one.verdict === "not_judged") return `${head}><skipped message="${escaped(one.reason ?? "")}"/></testcase>`;
    return one.verdict === "fail"
      ? `${head}><failure message="${escaped(one.says)}">${escaped(describeFinding(one))}</failure></testcase>`
      : `${head}/>`;
  });
  const failures = checks.filter(({ verdict }) => verdict === "fail").length;
  const seconds = (tookMs / 1_000).toFixed(3);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="holdfast conform" tests="${checks.length}" failures="${failures}" time="${seconds}">`,
    ...cases,
    "</testsuite>\n",
  ].join("\n");
}
