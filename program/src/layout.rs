//! The bytes of the accounts: little-endian, without holes, so that the structs lie over the account's data as they are.

use core::mem::{align_of, size_of};

pub type Key = [u8; 32];

pub const NO_KEY: Key = [0; 32];

pub const VERSION: u8 = 1;
pub const OPERATOR_TAG: u8 = 1;
pub const PAYMENT_TAG: u8 = 2;
pub const TOMBSTONE_TAG: u8 = 3;

pub const OPERATOR_LEN: usize = 104;
pub const PAYMENT_LEN: usize = 216;
pub const TOMBSTONE_LEN: usize = 16;

/// Seconds of each protection period; the index is the number in the account.
pub const PERIOD_SECONDS: [i64; 6] = [3_600, 86_400, 259_200, 604_800, 1_209_600, 2_592_000];
/// From the dispute: how long the arbiter may resolve it.
pub const ARBITRATION_SECONDS: i64 = 90 * 86_400;
/// From the payout: how long the record stays.
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

/// PDA `["operator", authority]`: one deployment of the service and who arbitrates for it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Operator {
    pub tag: u8,
    pub version: u8,
    pub bump: u8,
    pub reserved: [u8; 5],
    pub authority: Key,
    pub arbiter: Key,
    /// Zeros: none.
    pub pending_arbiter: Key,
}

/// PDA `["payment", operator, sender, payment_id]`: the terms, and what became of them.
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
    pub reserved: u8,
    pub payment_id: u64,
    pub amount: u64,
    pub created_at: i64,
    pub deadline: i64,
    /// 0: none.
    pub disputed_at: i64,
    /// When the funds left, to either side; 0: they have not.
    pub resolved_at: i64,
    pub sender: Key,
    pub recipient: Key,
    pub mint: Key,
    pub token_program: Key,
    pub operator: Key,
}

/// What a closed payment leaves at its address.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Tombstone {
    pub tag: u8,
    pub version: u8,
    pub bump: u8,
    pub reserved: [u8; 5],
    pub payment_id: u64,
}

// The fields add up to the whole: no padding. Account data is 8-aligned in the program's input.
const _: () = assert!(size_of::<Operator>() == 8 + 3 * 32 && size_of::<Operator>() == OPERATOR_LEN);
const _: () = assert!(size_of::<Payment>() == 8 + 6 * 8 + 5 * 32 && size_of::<Payment>() == PAYMENT_LEN);
const _: () = assert!(size_of::<Tombstone>() == 8 + 8 && size_of::<Tombstone>() == TOMBSTONE_LEN);
const _: () = assert!(align_of::<Payment>() == 8 && align_of::<Tombstone>() == 8 && align_of::<Operator>() == 1);
