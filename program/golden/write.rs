//! Writes the bytes of one account of each kind, and every refusal's code, as the Rust code has them; the TypeScript
//! codecs are tested against these files. Run on any machine: `cargo run --example golden` in `program/`.

use holdfast_escrow::{
    layout::{
        outcome, status, Operator, Payment, Tombstone, NO_KEY, OPERATOR_TAG, PAYMENT_TAG, TOMBSTONE_TAG, VERSION,
    },
    refusal::Refusal,
};
use std::{fmt::Write, fs, mem::size_of, path::Path, slice};

/// Each byte of a key differs from its neighbours, so that a shifted or reversed field shows.
fn key(first: u8) -> [u8; 32] {
    core::array::from_fn(|i| first.wrapping_add(i as u8))
}

fn bytes_of<T>(account: &T) -> &[u8] {
    // SAFETY: the layouts have no padding (asserted where they are defined).
    unsafe { slice::from_raw_parts(account as *const T as *const u8, size_of::<T>()) }
}

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let write = |name: &str, data: &[u8]| fs::write(folder.join(name), data).expect("golden file");

    let operator = Operator {
        tag: OPERATOR_TAG,
        version: VERSION,
        bump: 254,
        reserved: [0; 5],
        authority: key(1),
        arbiter: key(40),
        pending_arbiter: NO_KEY,
    };
    write("operator.bin", bytes_of(&operator));
    write("operator-pending.bin", bytes_of(&Operator { pending_arbiter: key(80), ..operator }));

    let payment = Payment {
        tag: PAYMENT_TAG,
        version: VERSION,
        bump: 253,
        status: status::PROTECTED,
        period: 3,
        decimals: 6,
        outcome: outcome::NONE,
        reserved: 0,
        payment_id: 0x0102_0304_0506_0708,
        amount: u64::MAX - 1,
        created_at: 1_767_225_600,
        deadline: 1_767_830_400,
        disputed_at: 0,
        resolved_at: 0,
        sender: key(2),
        recipient: key(34),
        mint: key(66),
        token_program: key(98),
        operator: key(130),
    };
    write("payment-protected.bin", bytes_of(&payment));
    let disputed = Payment { status: status::DISPUTED, disputed_at: 1_767_300_001, ..payment };
    write("payment-disputed.bin", bytes_of(&disputed));
    let resolved_at = 1_767_900_002;
    for (name, status, outcome) in [
        ("released-by-sender", status::RELEASED, outcome::RELEASED_BY_SENDER),
        ("settled", status::RELEASED, outcome::SETTLED),
        ("resolved", status::REFUNDED, outcome::RESOLVED),
        ("refunded-by-recipient", status::REFUNDED, outcome::REFUNDED_BY_RECIPIENT),
        ("refunded-unresolved", status::REFUNDED, outcome::REFUNDED_UNRESOLVED),
    ] {
        write(&format!("payment-{name}.bin"), bytes_of(&Payment { status, outcome, resolved_at, ..disputed }));
    }

    let tombstone = Tombstone {
        tag: TOMBSTONE_TAG,
        version: VERSION,
        bump: 252,
        reserved: [0; 5],
        payment_id: 0x1112_1314_1516_1718,
    };
    write("tombstone.bin", bytes_of(&tombstone));

    let mut refusals = String::new();
    for refusal in Refusal::ALL {
        writeln!(refusals, "{} {refusal:?}", refusal.code()).expect("a string grows");
    }
    write("refusals.txt", refusals.as_bytes());
}
