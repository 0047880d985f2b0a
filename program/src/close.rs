//! The record's rent goes back to whoever paid it; a tombstone keeps the address from being born twice.

use crate::{
    accounts::{is_key, read_payment},
    layout::{Tombstone, PAYMENT_LEN, TOMBSTONE_LEN, TOMBSTONE_TAG, VERSION},
    log::log_account,
    refusal::{require, Refusal},
    sysvars::{can_hold, now, rent_minimum},
    token::{is_associated, program_of},
    Call,
};
use pinocchio::{ProgramResult, Resize};

/// Accounts: operator, payment (w), rent payer (w; s: closes although it loses by it), vault. No arguments.
#[inline(never)]
pub fn close_payment(call: &mut Call) -> ProgramResult {
    let Call { program, accounts, arguments } = call;
    let [operator, account, rent_payer, vault, ..] = &mut **accounts else {
        return Err(Refusal::MissingAccounts.into());
    };
    require(arguments.is_empty(), Refusal::MalformedInstruction)?;
    let payment = *read_payment(program, operator, account)?;
    require(payment.is_finished(), Refusal::NotPaidOut)?;
    require(is_key(rent_payer, &payment.rent_payer), Refusal::WrongRentPayer)?;
    let token_program = program_of(payment.token_program);
    let own_vault = is_associated(vault, account.address().as_array(), &payment.mint, token_program);
    require(own_vault, Refusal::WrongVault)?;
    require(now()? >= payment.retained_until(), Refusal::RetentionRunning)?;

    // Anyone may do it, so only where nobody loses by it: not with something in the vault, which the tombstone could no
    // longer sign for, and not at a price at which the lamports would be burnt. The rent payer decides for themselves.
    let signed = rent_payer.is_signer();
    require(signed || vault.is_data_empty(), Refusal::VaultOpen)?;
    require(signed || account.lamports() >= rent_minimum(PAYMENT_LEN)?, Refusal::RentRisen)?;
    let freed = account.lamports().saturating_sub(rent_minimum(TOMBSTONE_LEN)?);
    require(signed || can_hold(rent_payer, freed), Refusal::RentPayerShort)?;

    account.resize(TOMBSTONE_LEN)?;
    // SAFETY: the account has this length now, and account data is 8-aligned.
    unsafe {
        *(account.data_mut_ptr() as *mut Tombstone) = Tombstone {
            tag: TOMBSTONE_TAG,
            version: VERSION,
            bump: payment.bump,
            status: payment.status,
            outcome: payment.outcome,
            reserved: [0; 3],
            payment_id: payment.payment_id,
            amount_released: payment.amount_released,
            amount_refunded: payment.amount_refunded,
            disputed_at: payment.disputed_at,
            settled_at: payment.settled_at,
            refunded_at: payment.refunded_at,
        };
    }
    account.set_lamports(account.lamports() - freed);
    rent_payer.set_lamports(rent_payer.lamports() + freed);
    log_account(account);
    Ok(())
}
