"""What the document says in words only, for schemathesis: real addresses, and parameters that exclude each other."""

import os

import schemathesis
from hypothesis import strategies as st

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def base58(data: bytes) -> str:
    number, text = int.from_bytes(data, "big"), ""
    while number > 0:
        number, digit = divmod(number, 58)
        text = ALPHABET[digit] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text


schemathesis.openapi.format("solana-wallet", st.just(os.environ["FUZZ_RECIPIENT"]))
schemathesis.openapi.format("solana-mint", st.just(os.environ["FUZZ_ASSET"]))
schemathesis.openapi.format("solana-signature", st.binary(min_size=64, max_size=64).map(base58))
schemathesis.openapi.format("uint64", st.integers(1, 2**64 - 1).map(str))


def is_storable(value):
    """No NUL and no lone surrogate anywhere in it."""
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= character <= "\udfff" for character in value)
    if isinstance(value, dict):
        return all(is_storable(part) for pair in value.items() for part in pair)
    return not isinstance(value, list) or all(map(is_storable, value))


@schemathesis.hook
def before_call(context, case, kwargs):
    """Keeps what should be valid so: one cursor, a wait for something and no longer than a second, storable metadata."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    query = case.query or {}
    cursors = [name for name in ("after_sequence", "starting_after", "ending_before") if name in query]
    for name in cursors[1:]:
        del query[name]
    if query.get("wait"):
        query["wait"] = 0 if cursors[:1] in ([], ["starting_after"]) else 1
    if isinstance(case.body, dict) and not is_storable(case.body.get("metadata")):
        case.body["metadata"] = {}
