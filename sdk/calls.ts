import type { Answered } from "./request.ts";

/** A call that was made: `await` gives its object. */
export class Call<Data> implements Promise<Data> {
  readonly #answered: Promise<Answered<Data>>;
  readonly [Symbol.toStringTag] = "Call";

  constructor(answered: Promise<Answered<Data>>) {
    this.#answered = answered;
  }

  /** The object, with status, headers and Request-Id of the answer, and the number of tries. */
  withResponse(): Promise<Answered<Data>> {
    return this.#answered;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise, with a member more.
  then<Result = Data, Other = never>(
    done?: ((data: Data) => Result | PromiseLike<Result>) | null,
    failed?: ((error: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<Result | Other> {
    return this.#answered.then(({ data }) => data).then(done, failed);
  }

  catch<Other = never>(failed?: ((error: unknown) => Other | PromiseLike<Other>) | null): Promise<Data | Other> {
    return this.then(undefined, failed);
  }

  finally(end?: (() => void) | null): Promise<Data> {
    return this.then().finally(end);
  }
}

/** A page of a list, newest first. */
export interface Page<Item> {
  readonly object: "list";
  readonly data: readonly Item[];
  readonly hasMore: boolean;
}

/** The part of a list's parameters that chooses a page. */
export interface PageQuery {
  readonly limit?: number | undefined;
  readonly startingAfter?: string | undefined;
  readonly endingBefore?: string | undefined;
}

/**
 * A list: `await` gives its first page, `for await` each item. With `endingBefore`, the walk goes to newer items, in that
 * order. Nothing is sent before the first use.
 */
export class List<Item extends { readonly id: string }> implements PromiseLike<Page<Item>>, AsyncIterable<Item> {
  readonly #fetchPage: (query: PageQuery) => Promise<Answered<Page<Item>>>;
  readonly #query: PageQuery;
  #first: Promise<Answered<Page<Item>>> | null = null;

  constructor(query: PageQuery, fetchPage: (query: PageQuery) => Promise<Answered<Page<Item>>>) {
    this.#query = query;
    this.#fetchPage = fetchPage;
  }

  /** The first page, with the facts of its answer. */
  withResponse(): Promise<Answered<Page<Item>>> {
    this.#first ??= this.#fetchPage(this.#query);
    return this.#first;
  }

  // biome-ignore lint/suspicious/noThenProperty: `await` gives the first page.
  then<Result = Page<Item>, Other = never>(
    done?: ((page: Page<Item>) => Result | PromiseLike<Result>) | null,
    failed?: ((error: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<Result | Other> {
    return this.withResponse()
      .then(({ data }) => data)
      .then(done, failed);
  }

  /** The pages, one after the other. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    const isUpward = this.#query.endingBefore !== undefined;
    for (let page = (await this.withResponse()).data; ; ) {
      yield page;
      const last = isUpward ? page.data[0] : page.data.at(-1);
      if (!page.hasMore || last === undefined) return;
      const cursor = isUpward ? { endingBefore: last.id } : { startingAfter: last.id };
      page = (await this.#fetchPage({ ...this.#query, ...cursor })).data;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const isUpward = this.#query.endingBefore !== undefined;
    for await (const { data } of this.pages()) yield* isUpward ? [...data].reverse() : data;
  }

  /** All items, `limit` at most. */
  async toArray({ limit }: { readonly limit: number }): Promise<Item[]> {
    const items: Item[] = [];
    if (limit <= 0) return items;
    for await (const item of this) if (items.push(item) >= limit) break;
    return items;
  }
}
