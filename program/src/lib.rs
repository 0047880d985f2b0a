//! Holds a payment for its protection period. `README.md` beside this folder lists accounts, instructions and errors.
//!
//! Nothing is allocated. A refusal is a custom error code of its own; the order of the guards is the order of the errors.
#![cfg_attr(any(target_os = "solana", target_arch = "bpf"), no_std)]

mod accounts;
mod close;
mod create;
mod dispute;
pub mod layout;
mod log;
mod operator;
mod payout;
pub mod refusal;
mod sysvars;
mod token;

use pinocchio::{AccountView, Address, ProgramResult};
use refusal::Refusal;

/// The longest list of accounts an instruction reads is 12; more are ignored.
#[cfg(any(target_os = "solana", target_arch = "bpf"))]
const ACCOUNTS_MAX: usize = 16;

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
        1 => operator::propose_arbiter(call),
        2 => operator::accept_arbiter(call),
        3 => create::create_payment(call),
        4 => dispute::open_dispute(call),
        5 => payout::resolve(call),
        6 => payout::release(call),
        7 => payout::refund(call),
        8 => payout::settle(call),
        9 => payout::refund_unresolved(call),
        10 => close::close_payment(call),
        _ => Err(Refusal::UnknownInstruction.into()),
    }
}
