/** An answer of the shop's own API, for the signed-in user. Throws with the message of a refusal. */
export async function call<Data>(path: string, body?: unknown): Promise<Data> {
  const answer = await fetch(path, {
    credentials: "include",
    ...(body === undefined
      ? {}
      : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
  });
  const json = (await answer.json()) as Data & { readonly message?: string };
  if (!answer.ok) throw new Error(json.message ?? `The shop answered ${answer.status}.`);
  return json;
}
