import { showToast } from "@holdfast/ui/toast.tsx";
import { useMutation } from "@tanstack/react-query";
import * as texts from "../catalogue/index.ts";
import { ApiError } from "./client.ts";

export interface ActionOptions<Input, Result> {
  readonly run: (input: Input) => Promise<Result>;
  /** The message after success. */
  readonly said?: string | undefined;
  readonly done?: ((result: Result, input: Input) => void | Promise<void>) | undefined;
}

/** A change at the press of a button. Errors are shown, unless a form shows them. */
export function useAction<Input = void, Result = unknown>(options: ActionOptions<Input, Result>) {
  return useMutation<Result, Error, Input>({
    mutationFn: options.run,
    onSuccess: async (result, input) => {
      if (options.said !== undefined) showToast(options.said);
      await options.done?.(result, input);
    },
    onError: (error) => {
      if (!isUnproven(error)) showToast(messageOf(error), "bad");
    },
  });
}

/** True if the user declined to give a proof, so that no message is needed. */
export const isUnproven = (error: unknown): boolean => error instanceof ApiError && error.code === "proof_required";

export const messageOf = (error: unknown): string =>
  error instanceof ApiError || (error instanceof Error && error.name === "NoPasskeyError")
    ? error.message
    : texts.api.failed;
