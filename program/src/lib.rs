//! Holds a payment for its protection period. `SPECIFICATION.md` beside this folder has accounts, states, instructions and refusals.
//!
//! Nothing is allocated. A refusal is a custom error code of its own; the order of the guards is the order of the errors.
#![cfg_attr(any(target_os = "solana", target_arch = "bpf"), no_std)]

mod accounts;
mod close;
mod create;
mod decide;
pub mod layout;
mod log;
mod operator;
mod payout;
pub mod refusal;
mod security;
pub mod state;
mod sysvars;
mod token;

use pinocchio::{error::ProgramError, AccountView, Address, ProgramResult};
use refusal::Refusal;

/// The longest list of accounts an instruction reads: the eleven of `create_payment` and sixteen for a transfer hook. More are ignored.
#[cfg(any(target_os = "solana", target_arch = "bpf"))]
const ACCOUNTS_MAX: usize = 11 + token::TRAILING_MAX;

/// What the runtime asks for. Passed as one pointer: a function of this target takes at most five registers.
pub(crate) struct Call<'a> {
    pub program: &'a Address,
    pub accounts: &'a mut [AccountView],
    /// The data after the instruction's number.
    pub arguments: &'a [u8],
}

#[cfg(any(target_os = "solana", target_arch = "bpf"))]
mod entry {
    pinocchio::program_entrypoint!(super::process, { super::ACCOUNTS_MAX });

    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo) -> ! {
        // SAFETY: the syscall ends the program.
        unsafe { pinocchio::syscalls::abort() }
    }
}

/// Arguments that are one u64.
#[inline(always)]
pub(crate) fn read_u64(arguments: &[u8]) -> Result<u64, ProgramError> {
    let bytes = arguments.try_into().map_err(|_| Refusal::MalformedInstruction)?;
    Ok(u64::from_le_bytes(bytes))
}

/// The first byte of the data is the instruction's number.
#[inline(always)]
pub fn process(program: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    let Some((number, arguments)) = data.split_first() else {
        return Err(Refusal::UnknownInstruction.into());
    };
    dispatch(*number, &mut Call { program, accounts, arguments })
}

#[inline(never)]
fn dispatch(number: u8, call: &mut Call) -> ProgramResult {
    match number {
        0 => operator::create_operator(call),
        1 => operator::propose(call),
        2 => operator::accept(call),
        3 => create::create_payment(call),
        4 => decide::open_dispute(call),
        5 => decide::resolve(call),
        6 => decide::release(call),
        7 => decide::refund(call),
        8 => payout::pay_out(call),
        9 => close::close_payment(call),
        _ => Err(Refusal::UnknownInstruction.into()),
    }
}
