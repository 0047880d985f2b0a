#!/usr/bin/env bash
# Builds the container image of the commit that is checked out, from Debian's and npm's packages, without a registry of
# images. Needs mmdebstrap, buildah, git, npm, Node.js 20 or newer and root. Prints the image's name and the digest of its
# content, which is the same for the same commit and packages; the bill of materials is in the folder build.
#
#   deploy/image/build.sh [--arch amd64|arm64] [--demo] [--tag NAME]
#
# --demo adds what a laptop needs: the local chain, the bundled PostgreSQL and a shell.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(git -C "$here" rev-parse --show-toplevel)
arch=amd64 demo='' tag=''
while [ $# -gt 0 ]; do
  case $1 in
    --arch) arch=$2; shift 2 ;;
    --demo) demo=demo; shift ;;
    --tag) tag=$2; shift 2 ;;
    *) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
done
case $arch in
  amd64) cpu=x64 ;;
  arm64) cpu=arm64 ;;
  *) echo "--arch is amd64 or arm64, not $arch." >&2; exit 2 ;;
esac
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$root/package.json")
commit=$(git -C "$root" rev-parse HEAD)
tag=${tag:-holdfast${demo:+-demo}:$version}
# Every time in the image is the commit's, so that the same commit gives the same content.
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
# The form of the Open Container Initiative has no health check, Docker's has.
export SOURCE_DATE_EPOCH BUILDAH_FORMAT=docker

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
base=$work/base
umask 022

echo "1/4 Debian's files ($arch)" >&2
packages=base-files,libc6,libgcc-s1,libstdc++6,ca-certificates,netbase,tzdata
# PostgreSQL's tools and the local chain call a shell and its tools.
[ -z "$demo" ] || packages=$packages,dash,coreutils,sed,grep,util-linux,libicu72,libc-bin
# Extracted packages leave no record of their own: this one is for the bill of materials.
record='for deb in "$1"/var/cache/apt/archives/*.deb; do dpkg-deb -f "$deb" Package Version; echo; done > "$1/var/lib/dpkg/status"'
mmdebstrap --quiet --variant=extract --architectures="$arch" --include="$packages" --extract-hook="$record" bookworm "$base"
# The packages' own scripts do not run, so their results are made here.
cat "$base"/usr/share/ca-certificates/mozilla/*.crt > "$base/etc/ssl/certs/ca-certificates.crt"
printf 'root:x:0:0::/root:/nologin\nholdfast:x:65532:65532::/var/lib/holdfast:/nologin\n' > "$base/etc/passwd"
printf 'root:x:0:\nholdfast:x:65532:\n' > "$base/etc/group"
[ -z "$demo" ] || ln -sf dash "$base/bin/sh"
# Programs that packages bring along, such as openssl, are of no use to the service, and of some to an intruder.
[ -n "$demo" ] || rm -rf "$base"/{bin,sbin,usr/bin,usr/sbin}/*
rm -rf "$base"/usr/share/{debconf,perl5,doc,man,info,lintian,locale,ca-certificates,bash-completion} "$base"/usr/lib/*/gconv \
  "$base"/var/{cache,log} "$base"/var/lib/apt "$base/dev"
mkdir "$base/dev"

echo "2/4 the service, with its pages built" >&2
mkdir "$work/sources"
git -C "$root" archive "$commit" | tar -x -C "$work/sources"
"$here/assemble.sh" "$work/sources" "$base" "$cpu" "$demo"
node "$root/tools/imageBill.mjs" "$base" "$version" "$commit" "$SOURCE_DATE_EPOCH"
chown -R 0:0 "$base"
chmod -R u=rwX,go=rX "$base/opt" "$base/usr/local"

echo "3/4 the image" >&2
container=$(buildah from --arch "$arch" scratch)
data=$base/var/lib/holdfast
rmdir "$data"
buildah add --quiet "$container" "$base" / > /dev/null
mkdir -m 700 "$data"
buildah add --quiet --chown 65532:65532 --chmod 700 "$container" "$data" /var/lib/holdfast > /dev/null
entry=$(node --input-type=module -e "
  import { collectionFlags } from '$root/tools/bootstrap/collections.mjs';
  process.stdout.write(JSON.stringify(['/usr/local/bin/node', ...collectionFlags]));")
buildah config \
  --user 65532:65532 --workingdir /opt/holdfast --stop-signal SIGTERM --port 3000 \
  --entrypoint "$entry" --cmd server/main.ts \
  --env NODE_ENV=production --env DATA_DIR=/var/lib/holdfast --env HOST=0.0.0.0 --env PORT=3000 --env LOG_FORMAT=json \
  --env PATH=/usr/local/bin:/usr/bin:/bin --env SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt \
  --volume /var/lib/holdfast \
  --healthcheck 'CMD /usr/local/bin/node server/healthcheck.ts' \
  --healthcheck-interval 10s --healthcheck-timeout 5s --healthcheck-retries 3 --healthcheck-start-period 60s \
  --label org.opencontainers.image.title=Holdfast \
  --label org.opencontainers.image.description="Payment intents with buyer protection" \
  --label org.opencontainers.image.licenses=Apache-2.0 \
  --label org.opencontainers.image.version="$version" \
  --label org.opencontainers.image.revision="$commit" \
  --created-by "deploy/image/build.sh" "$container" > /dev/null
[ -z "$demo" ] || buildah config --env LOCAL=on --env LOG_FORMAT=text "$container"

echo "4/4 $tag" >&2
buildah commit --quiet --rm --format docker --timestamp "$SOURCE_DATE_EPOCH" "$container" "$tag" > /dev/null
mkdir -p "$root/build"
cp "$base/opt/holdfast/sbom.cdx.json" "$root/build/${tag//[\/:]/-}-$arch.cdx.json"
# The identity of an image in Docker's form holds that of the container that made it; its content is this one layer.
buildah inspect --type image --format "$tag, content {{index .OCIv1.RootFS.DiffIDs 0}}" "$tag"
