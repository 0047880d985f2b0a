/** The ways in which a language is asked for, by rank; null: it is not. */
export interface WantedLanguage {
  /** The language of an intent or link: a BCP 47 tag. */
  readonly locale?: string | null | undefined;
  /** The language that the reader chose on a page. */
  readonly chosen?: string | null | undefined;
  /** The header `Accept-Language`. */
  readonly accepted?: string | null | undefined;
  /** The business's default. */
  readonly business?: string | null | undefined;
}

/** Readers list a few; more are not looked at. */
const ACCEPTED_MAX = 20;

/** The languages of a deployment, by their BCP 47 tags. The first is spoken to whoever asks for none of them. */
export class Languages<Language extends { readonly tag: string }> {
  readonly all: readonly [Language, ...Language[]];

  constructor(all: readonly [Language, ...Language[]]) {
    this.all = all;
  }

  /** The language with this tag, else one that differs from it in region or script alone; null if there is none. */
  find(tag: string | null | undefined): Language | null {
    if (tag == null) return null;
    const wanted = tag.toLowerCase();
    const isOf = (one: Language) => languageOf(one.tag) === languageOf(wanted);
    return this.all.find((one) => one.tag.toLowerCase() === wanted) ?? this.all.find(isOf) ?? null;
  }

  choose({ locale, chosen, accepted, business }: WantedLanguage): Language {
    for (const tag of [locale, chosen, ...readAccepted(accepted), business]) {
      const found = this.find(tag);
      if (found !== null) return found;
    }
    return this.all[0];
  }
}

const languageOf = (tag: string): string => tag.toLowerCase().split("-")[0]!;

/** The tags of `Accept-Language`, the most wanted first. */
function readAccepted(header: string | null | undefined): string[] {
  const ranges = (header ?? "").split(",", ACCEPTED_MAX).map((range) => {
    const [tag = "", ...parameters] = range.split(";").map((part) => part.trim());
    const weight = parameters.find((one) => one.startsWith("q="))?.slice(2);
    return { tag, weight: weight === undefined ? 1 : Number(weight) };
  });
  return ranges
    .filter(({ tag, weight }) => /^[A-Za-z0-9-]+$/.test(tag) && weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}
