//! Writes the bytes of one account of each kind, and every refusal's code, as the Rust code has them; the TypeScript
//! codecs are tested against these files. Run on any machine: `cargo run --example golden` in `program/`.

use holdfast_escrow::{
    layout::{
        outcome, status, token_program, Operator, Payment, Tombstone, NO_KEY, OPERATOR_TAG, PAYMENT_TAG, TOMBSTONE_TAG,
        VERSION,
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
        pending_authority: NO_KEY,
        pending_arbiter: NO_KEY,
    };
    write("operator.bin", bytes_of(&operator));
    let pending = Operator { pending_authority: key(120), pending_arbiter: key(80), ..operator };
    write("operator-pending.bin", bytes_of(&pending));

    let payment = Payment {
        tag: PAYMENT_TAG,
        version: VERSION,
        bump: 253,
        status: status::PROTECTED,
        period: 3,
        decimals: 6,
        outcome: outcome::NONE,
        token_program: token_program::TOKEN,
        payment_id: 0x0102_0304_0506_0708,
        amount: u64::MAX - 1,
        refund_total: 0,
        amount_refunded: 0,
        amount_released: 0,
        created_at: 1_767_225_600,
        deadline: 1_767_830_400,
        disputed_at: 0,
        settled_at: 0,
        refunded_at: 0,
        sender: key(2),
        recipient: key(34),
        mint: key(66),
        operator: key(130),
        arbiter: key(40),
        rent_payer: key(162),
        terms_hash: NO_KEY,
    };
    write("payment-protected.bin", bytes_of(&payment));
    let bound = Payment { token_program: token_program::TOKEN_2022, terms_hash: key(200), ..payment };
    write(
        "payment-partly-refunded.bin",
        bytes_of(&Payment {
            refund_total: 0x2122_2324,
            amount_refunded: 0x1112_1314,
            refunded_at: 1_767_300_003,
            ..bound
        }),
    );
    let disputed = Payment { status: status::DISPUTED, disputed_at: 1_767_300_001, ..bound };
    write("payment-disputed.bin", bytes_of(&disputed));
    let decided = Payment { outcome: outcome::RESOLVED, refund_total: 0x3132_3334, ..disputed };
    write("payment-decided.bin", bytes_of(&decided));

    let all = payment.amount;
    let part = 0x3132_3334;
    let (settled_at, refunded_at) = (1_767_900_002, 1_767_900_004);
    let released = Payment { status: status::RELEASED, amount_released: all, settled_at, ..disputed };
    let refunded =
        Payment { status: status::REFUNDED, refund_total: all, amount_refunded: all, refunded_at, ..disputed };
    let split =
        Payment { refund_total: part, amount_refunded: part, amount_released: all - part, refunded_at, ..released };
    for (name, account, outcome) in [
        ("released-by-sender", released, outcome::RELEASED_BY_SENDER),
        ("settled", released, outcome::SETTLED),
        ("resolved", refunded, outcome::RESOLVED),
        ("split", split, outcome::RESOLVED),
        ("refunded-by-recipient", refunded, outcome::REFUNDED_BY_RECIPIENT),
        ("refunded-unresolved", refunded, outcome::REFUNDED_UNRESOLVED),
    ] {
        write(&format!("payment-{name}.bin"), bytes_of(&Payment { outcome, ..account }));
    }

    let tombstone = Tombstone {
        tag: TOMBSTONE_TAG,
        version: VERSION,
        bump: 252,
        status: status::RELEASED,
        outcome: outcome::RESOLVED,
        reserved: [0; 3],
        payment_id: 0x1112_1314_1516_1718,
        amount_released: all - part,
        amount_refunded: part,
        disputed_at: disputed.disputed_at,
        settled_at,
        refunded_at,
    };
    write("tombstone.bin", bytes_of(&tombstone));

    let mut refusals = String::new();
    for refusal in Refusal::ALL {
        writeln!(refusals, "{} {refusal:?}", refusal.code()).expect("a string grows");
    }
    write("refusals.txt", refusals.as_bytes());
}
