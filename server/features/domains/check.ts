import { type Claim, type Finding, hasProof, parseDomain, placesOf, proofText } from "./domain.ts";

/** The text of a small file, or the reason why it could not be read. */
interface FileAnswer {
  /** The file's text; null if no answer had the file. */
  readonly text: string | null;
  /** True if the server answered at all, even with an error. */
  readonly isAnswer: boolean;
  readonly reason: string | null;
}

export interface DomainLookups {
  /** Reads a file by https, by the rules of deliveries (§6.1.5): no redirects, only public addresses. Never throws. */
  readonly fetchFile: (domain: string, path: string) => Promise<FileAnswer>;
  /** The texts of a name's TXT records; empty if there are none. Throws if DNS cannot answer. */
  readonly resolveTexts: (name: string) => Promise<readonly string[]>;
}

/** The limit of the column. A domain of 253 characters appears several times in it. */
const PROBLEM_CHARACTERS_MAX = 1_000;

/** Checks both places of the proof at once. */
export async function findProof(
  { fetchFile, resolveTexts }: DomainLookups,
  { domain, token }: Claim,
): Promise<Finding> {
  // An old claim that a newer rule forbids is never resolved; its proof then lapses like any lost one.
  if (parseDomain(domain) !== domain) return { verdict: "absent", problem: `${domain} is not a public name.` };
  const { filePath, fileUrl, recordName } = placesOf(domain);
  const [file, texts] = await Promise.all([
    fetchFile(domain, filePath),
    resolveTexts(recordName).catch((error: NodeJS.ErrnoException) => error),
  ]);
  const lines = file.text?.split(/\r?\n/) ?? [];
  if (hasProof(lines, token) || (!(texts instanceof Error) && hasProof(texts, token)))
    return { verdict: "proven", problem: null };
  const ofFile = file.text === null ? file.reason : `it has no line ${proofText(token)}`;
  const ofRecord =
    texts instanceof Error
      ? `DNS could not answer (${texts.code ?? texts.name})`
      : texts.length === 0
        ? "there is none"
        : "none has that text";
  return {
    verdict: file.isAnswer && !(texts instanceof Error) ? "absent" : "unknown",
    problem: `${fileUrl}: ${ofFile}. TXT records of ${recordName}: ${ofRecord}.`.slice(0, PROBLEM_CHARACTERS_MAX),
  };
}
