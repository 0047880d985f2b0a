//! The chain's clock and the price of storage.

use pinocchio::{
    error::ProgramError,
    sysvars::{clock::Clock, get_sysvar, rent::RENT_ID, Sysvar},
    AccountView,
};

/// Bytes every account is charged for besides its data.
const ACCOUNT_OVERHEAD: u64 = 128;
// The sysvar's factor is a floating-point number, and this target has none: it is compared by its bits.
const TWO_YEARS: u64 = 0x4000_0000_0000_0000;
const ONE: u64 = 0x3ff0_0000_0000_0000;
const PRICE_MAX: u64 = u32::MAX as u64;

/// The chain's time, in whole seconds.
#[inline(always)]
pub fn now() -> Result<i64, ProgramError> {
    Ok(Clock::get()?.unix_timestamp)
}

/// Lamports an account of this size must hold. Clusters give the price either per byte-year with a factor of 2.0, or per byte with 1.0.
pub fn rent_minimum(len: usize) -> Result<u64, ProgramError> {
    let mut raw = [0u64; 2];
    // SAFETY: sixteen bytes, any value of which is a valid pair of integers.
    let bytes = unsafe { core::slice::from_raw_parts_mut(raw.as_mut_ptr() as *mut u8, 16) };
    get_sysvar(bytes, &RENT_ID, 0)?;
    let factor = match raw[1] {
        TWO_YEARS => 2,
        ONE => 1,
        _ => return Err(ProgramError::UnsupportedSysvar),
    };
    if raw[0] > PRICE_MAX {
        return Err(ProgramError::UnsupportedSysvar);
    }
    // Below 2^58: the price has 32 bits, an account at most 10 MiB. A checked multiplication would need 128 bits, which this target has not.
    Ok((ACCOUNT_OVERHEAD + len as u64).wrapping_mul(raw[0]).wrapping_mul(factor))
}

/// Whether this account, as large as it is, may hold what it has and this much more; no where the price cannot be read.
pub fn can_hold(account: &AccountView, more: u64) -> bool {
    match rent_minimum(account.data_len()) {
        Ok(minimum) => account.lamports().saturating_add(more) >= minimum,
        Err(_) => false,
    }
}
