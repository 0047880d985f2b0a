// `npm run setup`: the bootstrap has installed everything before this file runs. With `-- --omit=dev` it has installed what
// production needs.
process.stdout.write("Everything is installed.\n");
