//! The sender disputes, before the deadline and never at it: from the deadline on, the payment can be settled.

use crate::{
    accounts::{is_key, read_payment, require_signer},
    layout::status,
    log::log_account,
    refusal::{require, Refusal},
    sysvars::now,
    Call,
};
use pinocchio::ProgramResult;

/// Accounts: operator, payment (w), sender (s).
#[inline(never)]
pub fn open_dispute(call: &mut Call) -> ProgramResult {
    let Call { program, accounts, arguments } = call;
    let [operator, account, sender, ..] = &mut **accounts else {
        return Err(Refusal::MissingAccounts.into());
    };
    require(arguments.is_empty(), Refusal::MalformedInstruction)?;
    let payment = read_payment(program, operator, account)?;
    require(is_key(sender, &payment.sender), Refusal::WrongSender)?;
    require_signer(sender)?;
    match payment.status {
        status::PROTECTED => (),
        status::DISPUTED => return Err(Refusal::AlreadyDisputed.into()),
        _ => return Err(Refusal::AlreadyPaidOut.into()),
    }
    let time = now()?;
    require(time < payment.deadline, Refusal::ProtectionOver)?;

    payment.status = status::DISPUTED;
    payment.disputed_at = time;
    log_account(account);
    Ok(())
}
