// `npm run setup`: the bootstrap has installed everything before this file runs. With `-- --omit=dev` it leaves out packages
// that only development needs.
process.stdout.write("Everything is installed.\n");
