#!/bin/sh
# Builds the program with Debian's packages rustc-web, cargo-web, libstd-rust-web-dev-bpf and the crate sbpf-linker.
# Usage: build.sh [output.so]; without it: the committed file, and the programs the tests call it from and hook a token with. CARGO_TARGET_DIR says where the intermediate files go.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/holdfast_escrow.so}
CARGO=${HOLDFAST_CARGO:-/usr/bin/cargo}
export RUSTC="${HOLDFAST_RUSTC:-/usr/bin/rustc}"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$here/target/bpf}"
export PATH="$PATH:$HOME/.cargo/bin"

# Arguments after the unit separator, because one of them holds spaces nowhere but may one day.
sep=$(printf '\037')
flags="-Clinker=sbpf-linker${sep}-Cpanic=abort${sep}-Crelocation-model=static"
flags="$flags${sep}-Clink-arg=--llvm-args=-bpf-stack-size=4096${sep}-Ctarget-cpu=v2${sep}-Clink-arg=--arch=v3"
# The linker would keep the 128-bit arithmetic of the standard library, which this target cannot compile and the program does not use.
flags="$flags${sep}-Clink-arg=--disable-math-builtins"
# The virtual machine reads words at any address; without this the compiler would put them together byte by byte.
flags="$flags${sep}-Clink-arg=--cpu-features=+allows-misaligned-mem-access"
# No path of the building machine may reach the file.
flags="$flags${sep}--remap-path-prefix=$here=.${sep}--remap-path-prefix=$HOME/.cargo=cargo"
export CARGO_ENCODED_RUSTFLAGS="$flags"

build() {
  "$CARGO" build --manifest-path "$here/Cargo.toml" --release --locked --target bpfel-unknown-none "$@"
}
built="$CARGO_TARGET_DIR/bpfel-unknown-none/release"

build --lib
cp "$built/libholdfast_escrow.so" "$out"
[ $# -gt 0 ] && exit
build --example smart_wallet --example transfer_hook
cp "$built/examples/libsmart_wallet.so" "$here/tests/smart_wallet.so"
cp "$built/examples/libtransfer_hook.so" "$here/tests/transfer_hook.so"
