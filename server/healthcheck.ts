// Ends with 0 if the process of this container is ready, else with 1: the image's health check, since it has no other client.
const port = process.env.PORT || "3000";
const response = await fetch(`http://localhost:${port}/readyz`, { signal: AbortSignal.timeout(4_000) }).catch(
  () => null,
);
process.exitCode = response?.status === 200 ? 0 : 1;
