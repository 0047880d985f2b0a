import { Button } from "@holdfast/ui/button.tsx";
import * as texts from "../catalogue/index.ts";

/** Loads the next page of a list, if there is one. */
export const MoreButton = ({
  list,
  isSearch = false,
}: {
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
  /** The next page was not searched yet. */
  readonly isSearch?: boolean;
}) =>
  list.hasNextPage ? (
    <Button className="justify-self-center" isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
      {isSearch ? texts.pages.searchFurther : texts.shell.showMore}
    </Button>
  ) : null;
