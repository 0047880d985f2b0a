//! The bytes of the accounts: little-endian, without holes, so that the structs lie over the account's data as they are.

use core::mem::{align_of, size_of};

pub type Key = [u8; 32];

pub const NO_KEY: Key = [0; 32];

pub const VERSION: u8 = 2;
pub const OPERATOR_TAG: u8 = 1;
pub const PAYMENT_TAG: u8 = 2;
pub const TOMBSTONE_TAG: u8 = 3;

pub const OPERATOR_LEN: usize = 136;
pub const PAYMENT_LEN: usize = 312;
pub const TOMBSTONE_LEN: usize = 56;

/// Seconds of each protection period; the index is the number in the account.
pub const PERIOD_SECONDS: [i64; 6] = [3_600, 86_400, 259_200, 604_800, 1_209_600, 2_592_000];
/// From the dispute: how long the arbiter may resolve it, and after which anyone may send it back.
pub const ARBITRATION_SECONDS: i64 = 90 * 86_400;
/// From the last part: how long the record stays.
pub const RETENTION_SECONDS: i64 = 90 * 86_400;

pub mod status {
    pub const PROTECTED: u8 = 1;
    pub const DISPUTED: u8 = 2;
    pub const RELEASED: u8 = 3;
    pub const REFUNDED: u8 = 4;
}

pub mod outcome {
    pub const NONE: u8 = 0;
    pub const RELEASED_BY_SENDER: u8 = 1;
    pub const SETTLED: u8 = 2;
    pub const RESOLVED: u8 = 3;
    pub const REFUNDED_BY_RECIPIENT: u8 = 4;
    pub const REFUNDED_UNRESOLVED: u8 = 5;
}

pub mod token_program {
    pub const TOKEN: u8 = 1;
    pub const TOKEN_2022: u8 = 2;
}

pub mod role {
    pub const AUTHORITY: u8 = 0;
    pub const ARBITER: u8 = 1;
}

/// PDA `["operator", first authority]`: one deployment of the service and who arbitrates for it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Operator {
    pub tag: u8,
    pub version: u8,
    pub bump: u8,
    pub reserved: [u8; 5],
    pub authority: Key,
    /// Of payments made from now on; a payment made keeps its own.
    pub arbiter: Key,
    /// Zeros: none.
    pub pending_authority: Key,
    /// Zeros: none.
    pub pending_arbiter: Key,
}

/// PDA `["payment", operator, sender, payment_id]`: the terms, what was decided, and what has left.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Payment {
    pub tag: u8,
    pub version: u8,
    pub bump: u8,
    pub status: u8,
    pub period: u8,
    pub decimals: u8,
    pub outcome: u8,
    pub token_program: u8,
    pub payment_id: u64,
    pub amount: u64,
    /// What the sender has in the end, as bound so far.
    pub refund_total: u64,
    /// What has left to the sender.
    pub amount_refunded: u64,
    /// What has left to the recipient.
    pub amount_released: u64,
    pub created_at: i64,
    pub deadline: i64,
    /// 0: never.
    pub disputed_at: i64,
    /// When the recipient's part left; 0: it has not.
    pub settled_at: i64,
    /// When the sender's last part left; 0: none has.
    pub refunded_at: i64,
    pub sender: Key,
    pub recipient: Key,
    pub mint: Key,
    pub operator: Key,
    /// Fixed when the payment is made: nobody can replace the judge of a payment made.
    pub arbiter: Key,
    /// Paid for this account and the vault, and gets both rents back.
    pub rent_payer: Key,
    /// Free bytes; zeros: none.
    pub terms_hash: Key,
}

/// What a closed payment leaves at its address.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Tombstone {
    pub tag: u8,
    pub version: u8,
    pub bump: u8,
    pub status: u8,
    pub outcome: u8,
    pub reserved: [u8; 3],
    pub payment_id: u64,
    pub amount_released: u64,
    pub amount_refunded: u64,
    pub disputed_at: i64,
    pub settled_at: i64,
    pub refunded_at: i64,
}

// The fields add up to the whole: no padding. Account data is 8-aligned in the program's input.
const _: () = assert!(size_of::<Operator>() == 8 + 4 * 32 && size_of::<Operator>() == OPERATOR_LEN);
const _: () = assert!(size_of::<Payment>() == 8 + 10 * 8 + 7 * 32 && size_of::<Payment>() == PAYMENT_LEN);
const _: () = assert!(size_of::<Tombstone>() == 8 + 6 * 8 && size_of::<Tombstone>() == TOMBSTONE_LEN);
const _: () = assert!(align_of::<Payment>() == 8 && align_of::<Tombstone>() == 8 && align_of::<Operator>() == 1);
