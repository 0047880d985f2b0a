//! The chain's clock and the price of storage.

use pinocchio::{
    error::ProgramError,
    sysvars::{clock::Clock, get_sysvar, rent::RENT_ID, Sysvar},
};

/// Bytes every account is charged for besides its data.
const ACCOUNT_OVERHEAD: u64 = 128;
// The sysvar's factor is a floating-point number, and this target has none: it is compared by its bits.
const TWO_YEARS: u64 = 0x4000_0000_0000_0000;
const ONE: u64 = 0x3ff0_0000_0000_0000;

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
    Ok((ACCOUNT_OVERHEAD + len as u64).wrapping_mul(raw[0]).wrapping_mul(factor))
}
