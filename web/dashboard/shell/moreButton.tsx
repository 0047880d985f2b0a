import { Button } from "@holdfast/ui/button.tsx";

/** Reads the next page of a list, as long as there is one. */
export const MoreButton = ({
  list,
}: {
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}) =>
  list.hasNextPage ? (
    <Button className="justify-self-center" isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
      Show more
    </Button>
  ) : null;
