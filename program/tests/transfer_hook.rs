//! A transfer hook, for the tests: it refuses a signer among its accounts, and calls back where its list says so. In the place
//! of a token program it takes a transfer's own signature, refuses any behind it, and moves nothing.
//!
//! Accounts, as Token-2022 gives them: source, mint, destination, authority, the list of further accounts, those accounts.
//! If there are any, the first is a program that is called with the others and `pay_out` to the recipient.
#![cfg_attr(any(target_os = "solana", target_arch = "bpf"), no_std)]

use core::mem::MaybeUninit;
use pinocchio::{
    cpi::invoke_signed_with_bounds,
    error::ProgramError,
    instruction::{InstructionAccount, InstructionView},
    AccountView, Address, ProgramResult,
};

const ACCOUNTS_MAX: usize = 24;
const GIVEN: usize = 5;
const PAY_OUT_TO_RECIPIENT: [u8; 2] = [8, 0];
const SIGNER_SEEN: u32 = 1;
/// A token program's transfer: source, mint, destination and authority, which signs.
const TRANSFER_CHECKED: u8 = 12;
const TRANSFER_ACCOUNTS: usize = 4;

#[cfg(any(target_os = "solana", target_arch = "bpf"))]
mod entry {
    pinocchio::program_entrypoint!(super::process, { super::ACCOUNTS_MAX });

    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo) -> ! {
        unsafe { pinocchio::syscalls::abort() }
    }
}

#[inline(always)]
pub fn process(_program: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    let transfers = data.first() == Some(&TRANSFER_CHECKED);
    let own = if transfers { TRANSFER_ACCOUNTS } else { 0 };
    if accounts.iter().skip(own).any(|account| account.is_signer()) {
        return Err(ProgramError::Custom(SIGNER_SEEN));
    }
    if transfers {
        return Ok(());
    }
    let Some((target, rest)) = accounts.get(GIVEN..).and_then(|more| more.split_first()) else {
        return Ok(());
    };
    if rest.is_empty() {
        return Ok(());
    }
    let mut metas = [const { MaybeUninit::<InstructionAccount>::uninit() }; ACCOUNTS_MAX];
    for (meta, account) in metas.iter_mut().zip(rest.iter()) {
        meta.write(InstructionAccount::new(account.address(), account.is_writable(), false));
    }
    // SAFETY: as many were written as there are accounts, at most ACCOUNTS_MAX.
    let metas = unsafe { core::slice::from_raw_parts(metas.as_ptr() as *const InstructionAccount, rest.len()) };
    let instruction = InstructionView { program_id: target.address(), accounts: metas, data: &PAY_OUT_TO_RECIPIENT };
    invoke_signed_with_bounds::<ACCOUNTS_MAX, AccountView>(&instruction, rest, &[])
}
