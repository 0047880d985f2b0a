// Clusters have rent in one of two forms, and the program reads both: what else runs with a price a byte runs here with a price
// a year and a factor of 2. The compiler puts that question into several places, so every instruction is asked it.
process.env.RENT_FORM = "older";
await import("./table.test.ts");
await import("./lamports.test.ts");
await import("./model.test.ts");

export {};
