import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { followAttention } from "./api/attention.ts";
import { setClientHooks } from "./api/client.ts";
import { accountQuery, queryClient } from "./api/queries.ts";
import { router } from "./router.tsx";
import { askForProof } from "./shell/proof.ts";

// A dialog stops the page behind it from scrolling by a style element, which the policy allows only with this nonce.
setNonce(document.querySelector("script")?.nonce ?? "");
setClientHooks({
  proveUser: askForProof,
  endSession: () => {
    // Without an account the user was not signed in, and the router itself asks for a sign-in.
    if (queryClient.getQueryData(accountQuery.queryKey) === undefined) return;
    queryClient.clear();
    void router.invalidate();
  },
});

followAttention();

const root = document.getElementById("root");
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
