/**
 * Runs something that needs packages that a production installation may leave out (`npm ci --omit=dev`). If one is missing,
 * the error says what cannot be done and what to do: `remedy`.
 */
export async function needsDevelopment<Value>(
  problem: string,
  run: () => Promise<Value>,
  remedy: string,
): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Error(`${problem}, and this installation has no development packages. Remedy: ${remedy}. (${message})`);
  }
}
