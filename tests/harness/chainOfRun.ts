interface ChainOfRun {
  readonly consensus: "tower" | "alpenglow";
  readonly skipEvery?: number;
}

/**
 * Consensus and skipped slots of the local chains of a test run, unless a test says its own: votes and none, or what
 * `TEST_LOCAL_CHAIN` says, in the form of `LOCAL_CHAIN`.
 */
export const CHAIN_OF_RUN: ChainOfRun = JSON.parse(process.env.TEST_LOCAL_CHAIN ?? '{"consensus":"tower"}');
