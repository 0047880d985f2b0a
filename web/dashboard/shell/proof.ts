import { useSyncExternalStore } from "react";

/** Calls that wait for the user's proof. One question serves all of them. */
let waiting: readonly ((proven: boolean) => void)[] = [];
const listeners = new Set<() => void>();

const change = (next: typeof waiting): void => {
  waiting = next;
  for (const listener of listeners) listener();
};

/** Opens the question; resolves to true if the proof was given. */
export const askForProof = (): Promise<boolean> => new Promise((resolve) => change([...waiting, resolve]));

export function answerProof(proven: boolean): void {
  const answered = waiting;
  change([]);
  for (const resolve of answered) resolve(proven);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
const isWanted = () => waiting.length > 0;

export const useProofWanted = (): boolean => useSyncExternalStore(subscribe, isWanted, isWanted);
