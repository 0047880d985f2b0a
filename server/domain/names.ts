import { parse } from "tldts";

/**
 * Characters that reverse, hide in or break the text around a name, which wallets and mail programs show without isolating
 * it.
 */
const UNSAFE_IN_LINE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
/** At least one character other than spaces and invisible ones. */
const VISIBLE = /[^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]/u;

const isPlainLine = (text: string): boolean =>
  /^.{1,100}$/u.test(text) &&
  !UNSAFE_IN_LINE.test(text) &&
  VISIBLE.test(text) &&
  text.trim() === text &&
  text.isWellFormed();

/** Joiners that a script needs, and those that join several pictures into one. They are invisible there. */
const JOINERS =
  /(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*)(?:\u200d(?=\p{Extended_Pictographic})|\ufe0f)|(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})|(?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca])[\u200c\u200d]/gu;
/** Invisible characters, tags included; characters that each machine draws differently; and the Braille cell without dots. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\u2800]/u;
/** Too many marks on one letter: marks for any script over two; a script's own over four, which Burmese needs. */
const MARKS = /[\p{M}&&\p{Script=Inherited}]{3}|\p{M}{5}/v;
/** Invisible characters that text brings along when it is copied, and that change nothing of it. */
const HARMLESS = /\u00ad|\u200b|\u2060|\ufeff|\ufe0e|\ufe0f/g;

/**
 * Returns true for a text that is drawn within its own lines, and hides nothing: the rule for every text of one person that
 * another one reads.
 */
export const isReadable = (text: string): boolean =>
  !MARKS.test(text) && !INVISIBLE.test(text.replace(JOINERS, "").replace(HARMLESS, ""));

/** Returns true for a readable line of 1 to 100 visible characters, without control characters or white space at either end. */
export const isLine = (text: string): boolean => isPlainLine(text) && isReadable(text);

const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
/** Alphabets with letters that look like Latin ones. */
const OTHER_ALPHABETS = /[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}\p{sc=Cher}\p{sc=Copt}\p{sc=Lisu}]/u;
/**
 * Signs that resemble a proof: ticks, shields, locks, drawn boxes, and the dot that once preceded one. Catalan and
 * Japanese keep the dots that they need.
 */
const SIGNS =
  /[\u2500-\u257f\u26e8\u2611\u2705\u2713\u2714\u221a\u237b\u{1f5f8}\u{1f5f9}\u{1fbb1}\u{1f50f}\u{1f510}\u{1f512}\u{1f6e1}]|(?<!l)[\u00b7\u0387](?!$)|[\u00b7\u0387](?!l)|[\u2022\u2027\u2219\u22c5\u2e31\u2e33\u25cf\u26ab\u{10101}]|(?<![\p{Script=Katakana}\p{Script=Han}ー])[\u30fb\uff65]/iu;
const DOTS = /[.\u3002\u06d4\ua4f8]/g;
const DOMAIN_LIKE = /[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+/gu;
/** Letters and figures that resemble those of "verified". */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  "1": "i",
  l: "i",
  "|": "i",
  "!": "i",
  ı: "i",
  ɪ: "i",
  "3": "e",
  ᴇ: "e",
  ᴠ: "v",
  ʀ: "r",
  ꜰ: "f",
};

/** Returns the stored form of a name: the same text has one spelling. */
export const normalizeName = (name: string): string => name.normalize("NFC");

/**
 * Returns the reason why a business may not be shown to buyers by this name, in its normal form (§2.3.6); null if it may.
 * A name must not pass for a proof, or for another name: `domain` is the proven domain of the business.
 */
export function findNameProblem(name: string, domain: string | null): string | null {
  if (!isPlainLine(name)) return "Enter a name of 1 to 100 characters, without control characters.";
  if (INVISIBLE.test(name.replace(JOINERS, ""))) return "The name has invisible characters. Type it again.";
  if (MARKS.test(name)) return "The name has too many marks on one letter: two are the most.";
  const mixed = name.match(WORDS)?.find((word) => /\p{Script=Latin}/u.test(word) && OTHER_ALPHABETS.test(word));
  if (mixed !== undefined) return `The word "${mixed}" mixes alphabets. Write each word in one.`;
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  if (SIGNS.test(name) || plain.replace(/[1l|!ıɪ3ᴇᴠʀꜰ]/gu, (one) => LOOK_ALIKES[one]!).includes("verifi"))
    return 'A name has no tick, lock or dot in it, nor "verified": buyers are shown a proven domain next to it.';
  const address = findAddress(name, domain);
  if (address !== undefined)
    return `"${address}" reads as an internet address. A name has none but the domain that the business has proven.`;
  return null;
}

/** Finds an internet address that a text may be read as, but `domain`. */
export const findAddress = (text: string, domain: string | null = null): string | undefined =>
  text
    .normalize("NFKC")
    .replace(DOTS, ".")
    .match(DOMAIN_LIKE)
    ?.flatMap(listAddresses)
    .find((found) => found.toLowerCase() !== domain && isDomain(found));

/**
 * Lists the addresses that labels may be read as: all labels, then fewer of them from the first one on, and each of these
 * up to the last label's hyphen.
 */
function listAddresses(text: string): string[] {
  const labels = text.split(".");
  const heads = labels.slice(1).map((_, at) => labels.slice(0, at + 2).join("."));
  return heads.reverse().flatMap((head) => [head, head.replace(/-[^.]*$/, "")]);
}

function isDomain(text: string): boolean {
  const host = URL.parse(`https://${text}`)?.hostname ?? "";
  const { isIcann, isPrivate } = parse(host, { allowPrivateDomains: true, extractHostname: false });
  return isIcann === true || isPrivate === true;
}
