import { type Claim, type Finding, hasProof, parseDomain, placesOf, proofText } from "./domain.ts";

/** What was read of a small file, or why not. */
interface FileAnswer {
  /** Null: there was no answer with the file. */
  readonly text: string | null;
  /** Whether the server of the name answered at all, with whatever. */
  readonly isAnswer: boolean;
  readonly reason: string | null;
}

export interface DomainCheckDeps {
  /** Reads a file by https, by the rules of deliveries (§6.1.5): no redirects, no address that is not public. Never throws. */
  readonly fetchFile: (domain: string, path: string) => Promise<FileAnswer>;
  /** The texts of the TXT records of a name; empty where there are none. Throws where DNS cannot answer. */
  readonly resolveTexts: (name: string) => Promise<readonly string[]>;
}

/** What the column takes; a domain of 253 characters is named several times. */
const PROBLEM_CHARACTERS_MAX = 1_000;

/** Looks for the proof in both places at once. */
export async function findProof(deps: DomainCheckDeps, { domain, token }: Claim): Promise<Finding> {
  // A claim from before a rule: nobody's resolver is asked for it, and what it proved ends as any lost proof does.
  if (parseDomain(domain) !== domain) return { verdict: "absent", problem: `${domain} is not a public name.` };
  const { filePath, fileUrl, recordName } = placesOf(domain);
  const [file, texts] = await Promise.all([
    deps.fetchFile(domain, filePath),
    deps.resolveTexts(recordName).catch((error: NodeJS.ErrnoException) => error),
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
