import { Toasts } from "@holdfast/ui/toast.tsx";
import { Outlet } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useProofWanted } from "./proof.ts";

const ProofDialog = lazy(() => import("./proofDialog.tsx").then(({ ProofDialog }) => ({ default: ProofDialog })));

export const Root = () => (
  <>
    <Outlet />
    {useProofWanted() ? (
      <Suspense>
        <ProofDialog />
      </Suspense>
    ) : null}
    <Toasts />
  </>
);
