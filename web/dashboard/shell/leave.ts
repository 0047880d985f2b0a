import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";

/** Goes to the sign-in once the session has ended, and deletes the data read in it. */
export function useLeave(): () => Promise<void> {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return async () => {
    queries.clear();
    await navigate({ to: "/sign-in" });
  };
}
