//! The sender takes back the record's rent; a tombstone keeps the address from being born twice.

use crate::{
    accounts::{is_key, read_payment, require_signer},
    layout::{status, Tombstone, RETENTION_SECONDS, TOMBSTONE_LEN, TOMBSTONE_TAG, VERSION},
    log::log_account,
    refusal::{require, Refusal},
    sysvars::{now, rent_minimum},
    Call,
};
use pinocchio::{ProgramResult, Resize};

/// Accounts: operator, payment (w), sender (w, s).
#[inline(never)]
pub fn close_payment(call: &mut Call) -> ProgramResult {
    let Call { program, accounts, arguments } = call;
    let [operator, account, sender, ..] = &mut **accounts else {
        return Err(Refusal::MissingAccounts.into());
    };
    require(arguments.is_empty(), Refusal::MalformedInstruction)?;
    let payment = *read_payment(program, operator, account)?;
    require(is_key(sender, &payment.sender), Refusal::WrongSender)?;
    require_signer(sender)?;
    let paid_out = payment.status == status::RELEASED || payment.status == status::REFUNDED;
    require(paid_out, Refusal::NotPaidOut)?;
    require(now()? >= payment.resolved_at + RETENTION_SECONDS, Refusal::RetentionRunning)?;

    account.resize(TOMBSTONE_LEN)?;
    // SAFETY: the account has this length now, and account data is 8-aligned.
    unsafe {
        *(account.data_mut_ptr() as *mut Tombstone) = Tombstone {
            tag: TOMBSTONE_TAG,
            version: VERSION,
            bump: payment.bump,
            reserved: [0; 5],
            payment_id: payment.payment_id,
        };
    }
    let freed = account.lamports().saturating_sub(rent_minimum(TOMBSTONE_LEN)?);
    account.set_lamports(account.lamports() - freed);
    sender.set_lamports(sender.lamports() + freed);
    log_account(account);
    Ok(())
}
