#!/usr/bin/env bash
# Makes the secrets of compose.yaml once, in ./secrets: run it as root, since each file belongs to the user who reads it.
# What is there stays as it is. The keeper's key and the certificate are yours: keeper.json and tls.pem.
set -euo pipefail
cd "$(dirname "$0")"
umask 077
mkdir -p secrets etc
chmod 755 secrets etc
make() { [ -e "secrets/$1" ] || cat > "secrets/$1"; }
random() { head -c "$1" /dev/urandom | base64 | tr -d '\n'; }

make database-password <<< "$(random 24 | tr '+/' '-_')"
# Plain text is right here: it stays in this machine.
make database-url <<< "postgresql://holdfast:$(cat secrets/database-password)@postgres/holdfast?sslmode=disable"
make webhook-keys.json <<< "{\"current\":1,\"keys\":{\"1\":\"$(random 32)\"}}"
make metrics-token <<< "$(random 24 | tr '+/' '-_')"
for name in keeper.json tls.pem; do
  [ -e "secrets/$name" ] || echo "Put your $name into $PWD/secrets, then run this again." >&2
done
# 65532 is the user of the image, 99 that of HAProxy's. PostgreSQL's image reads its password as root.
for name in database-url webhook-keys.json metrics-token keeper.json; do
  [ ! -e "secrets/$name" ] || chown 65532:65532 "secrets/$name"
done
[ ! -e secrets/tls.pem ] || chown 99:99 secrets/tls.pem
chmod 400 secrets/*
