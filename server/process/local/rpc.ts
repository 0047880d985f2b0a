/** Calls one of the local chain's own JSON-RPC methods. Throws {@link LocalChainError}. */
export async function callLocalChain<Result>(rpcUrl: string, method: string, params: unknown): Promise<Result> {
  const response = await fetch(rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [params] }),
    signal: AbortSignal.timeout(30_000),
  });
  const answer = (await response.json()) as { result?: Result; error?: { message: string } };
  if (answer.error !== undefined) throw new LocalChainError(answer.error.message);
  return answer.result as Result;
}

/** The local chain refused the call; the message is its own. */
export class LocalChainError extends Error {
  override readonly name = "LocalChainError";
}
