//! A wallet that is a program, for the tests: it passes an instruction on and signs for its own address, which is on no curve.
//!
//! Data: the bump of `["wallet"]`, then the inner instruction's data. Accounts: the inner program, then the inner accounts.
#![cfg_attr(any(target_os = "solana", target_arch = "bpf"), no_std)]

use core::mem::MaybeUninit;
use pinocchio::{
    cpi::{invoke_signed_with_bounds, Seed, Signer},
    error::ProgramError,
    instruction::{InstructionAccount, InstructionView},
    AccountView, Address, ProgramResult,
};

const ACCOUNTS_MAX: usize = 16;

#[cfg(any(target_os = "solana", target_arch = "bpf"))]
mod entry {
    pinocchio::program_entrypoint!(super::process, { super::ACCOUNTS_MAX });

    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo) -> ! {
        unsafe { pinocchio::syscalls::abort() }
    }
}

#[inline(always)]
pub fn process(program: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    let (Some((bump, inner)), Some((target, rest))) = (data.split_first(), accounts.split_first()) else {
        return Err(ProgramError::InvalidInstructionData);
    };
    let bump = [*bump];
    #[cfg(any(target_os = "solana", target_arch = "bpf"))]
    let wallet =
        Address::create_program_address(&[b"wallet", &bump], program).map_err(|_| ProgramError::InvalidSeeds)?;
    #[cfg(not(any(target_os = "solana", target_arch = "bpf")))]
    let wallet = *program;

    let mut metas = [const { MaybeUninit::<InstructionAccount>::uninit() }; ACCOUNTS_MAX];
    for (meta, account) in metas.iter_mut().zip(rest.iter()) {
        let signs = account.is_signer() || *account.address() == wallet;
        meta.write(InstructionAccount::new(account.address(), account.is_writable(), signs));
    }
    // SAFETY: as many were written as there are accounts, at most ACCOUNTS_MAX.
    let metas = unsafe { core::slice::from_raw_parts(metas.as_ptr() as *const InstructionAccount, rest.len()) };
    let instruction = InstructionView { program_id: target.address(), accounts: metas, data: inner };
    let seeds = [Seed::from(b"wallet"), Seed::from(&bump)];
    invoke_signed_with_bounds::<ACCOUNTS_MAX, AccountView>(&instruction, rest, &[Signer::from(&seeds)])
}
