//! The decisions. They write the payment account and name no other that anybody owns, so nothing can stop one: not a
//! frozen vault, a paused mint, a missing account or a wallet that cannot be credited.
//!
//! Accounts of all four: operator, payment (w), who decides (s).

use crate::{
    accounts::{is_key, read_payment, require_signer},
    layout::{Key, Payment},
    log::log_account,
    read_u64,
    refusal::{require, Refusal},
    sysvars::now,
    Call,
};
use pinocchio::{error::ProgramError, ProgramResult};

const PAYMENT: usize = 1;
const ACCOUNTS: usize = 3;

/// The sender disputes, before the deadline. No arguments.
#[inline(never)]
pub fn open_dispute(call: &mut Call) -> ProgramResult {
    require(call.accounts.len() >= ACCOUNTS, Refusal::MissingAccounts)?;
    require(call.arguments.is_empty(), Refusal::MalformedInstruction)?;
    read_as(call, |payment| &payment.sender, Refusal::WrongSender)?.open_dispute(now()?)?;
    log_account(&call.accounts[PAYMENT]);
    Ok(())
}

/// The payment's arbiter decides a dispute, within 90 days. Arguments: the sender's total.
#[inline(never)]
pub fn resolve(call: &mut Call) -> ProgramResult {
    let total = read_total(call)?;
    read_as(call, |payment| &payment.arbiter, Refusal::WrongArbiter)?.resolve(total, now()?)?;
    log_account(&call.accounts[PAYMENT]);
    Ok(())
}

/// The sender lets the recipient have the rest: at any time, in a dispute too. Arguments: the total the sender keeps at least.
#[inline(never)]
pub fn release(call: &mut Call) -> ProgramResult {
    let total = read_total(call)?;
    read_as(call, |payment| &payment.sender, Refusal::WrongSender)?.release(total)?;
    log_account(&call.accounts[PAYMENT]);
    Ok(())
}

/// The recipient gives back: at any time, in a dispute too. Arguments: the sender's total, more than before.
#[inline(never)]
pub fn refund(call: &mut Call) -> ProgramResult {
    let total = read_total(call)?;
    read_as(call, |payment| &payment.recipient, Refusal::WrongRecipient)?.refund(total)?;
    log_account(&call.accounts[PAYMENT]);
    Ok(())
}

#[inline(always)]
fn read_total(call: &Call) -> Result<u64, ProgramError> {
    require(call.accounts.len() >= ACCOUNTS, Refusal::MissingAccounts)?;
    read_u64(call.arguments)
}

/// The payment, decided on by the one whose key the closure picks, who signs.
#[inline(always)]
fn read_as<'a>(
    call: &'a mut Call,
    key: impl Fn(&Payment) -> &Key,
    wrong: Refusal,
) -> Result<&'a mut Payment, ProgramError> {
    let [operator, account, actor, ..] = &mut *call.accounts else {
        return Err(Refusal::MissingAccounts.into());
    };
    let payment = read_payment(call.program, operator, account)?;
    require(is_key(actor, key(payment)), wrong)?;
    require_signer(actor)?;
    Ok(payment)
}
