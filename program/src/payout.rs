//! The five ways the funds leave the vault. They differ in who may ask, when, and who gets them; the way out is one.
//!
//! Accounts of all five: operator, payment (w), payer (w, s where it must pay), sender (w), beneficiary (s where the
//! destination is not its associated token account), destination (w), vault (w), mint, token program, associated token
//! program, system program; and for `resolve`, `release`, `refund`: the arbiter, sender or recipient (s).

use crate::{
    accounts::{is_key, read_payment, require_signer},
    layout::{outcome, status, Key, Payment, ARBITRATION_SECONDS},
    log::log_account,
    refusal::{require, Refusal},
    sysvars::now,
    token::{
        close, create_associated, holds_withheld_fees, is_associated, read_holding, transfer, Movement, NewHolding,
    },
    Call,
};
use pinocchio::{
    cpi::{Seed, Signer},
    error::ProgramError,
    AccountView, Address, ProgramResult,
};

const ACTOR: usize = 11;

struct Decision {
    outcome: u8,
    to_recipient: bool,
    at: i64,
}

/// The arbiter decides a dispute, within 90 days. Arguments: 0 to the recipient, 1 to the sender.
#[inline(never)]
pub fn resolve(call: &mut Call) -> ProgramResult {
    let Call { program, accounts, arguments } = call;
    let to_recipient = match *arguments {
        [0] => true,
        [1] => false,
        _ => return Err(Refusal::MalformedInstruction.into()),
    };
    let payment = read(program, accounts)?;
    let actor = read_actor(accounts)?;
    // The operator's arbiter of today, not of the day of the payment: a lost key can be replaced.
    let arbiter = crate::accounts::read_operator(program, &mut accounts[0])?.arbiter;
    require(is_key(&actor, &arbiter), Refusal::WrongArbiter)?;
    require_signer(&actor)?;
    require(payment.status == status::DISPUTED, Refusal::NotDisputed)?;
    let at = now()?;
    require(at < payment.disputed_at + ARBITRATION_SECONDS, Refusal::ArbitrationOver)?;
    pay_out(&payment, accounts, &Decision { outcome: outcome::RESOLVED, to_recipient, at })
}

/// The sender lets the recipient have the funds: at any time, in a dispute too.
#[inline(never)]
pub fn release(call: &mut Call) -> ProgramResult {
    let Call { program, accounts, arguments } = call;
    require(arguments.is_empty(), Refusal::MalformedInstruction)?;
    let payment = read(program, accounts)?;
    let actor = read_actor(accounts)?;
    require(is_key(&actor, &payment.sender), Refusal::WrongSender)?;
    require_signer(&actor)?;
    let at = now()?;
    pay_out(&payment, accounts, &Decision { outcome: outcome::RELEASED_BY_SENDER, to_recipient: true, at })
}

/// The recipient gives the funds back: at any time, in a dispute too.
#[inline(never)]
pub fn refund(call: &mut Call) -> ProgramResult {
    let Call { program, accounts, arguments } = call;
    require(arguments.is_empty(), Refusal::MalformedInstruction)?;
    let payment = read(program, accounts)?;
    let actor = read_actor(accounts)?;
    require(is_key(&actor, &payment.recipient), Refusal::WrongRecipient)?;
    require_signer(&actor)?;
    let at = now()?;
    pay_out(&payment, accounts, &Decision { outcome: outcome::REFUNDED_BY_RECIPIENT, to_recipient: false, at })
}

/// Anyone sends an undisputed payment on, at the deadline or after it: never in a second in which it can be disputed.
#[inline(never)]
pub fn settle(call: &mut Call) -> ProgramResult {
    let Call { program, accounts, arguments } = call;
    require(arguments.is_empty(), Refusal::MalformedInstruction)?;
    let payment = read(program, accounts)?;
    require(payment.status == status::PROTECTED, Refusal::AlreadyDisputed)?;
    let at = now()?;
    require(at >= payment.deadline, Refusal::ProtectionRunning)?;
    pay_out(&payment, accounts, &Decision { outcome: outcome::SETTLED, to_recipient: true, at })
}

/// Anyone sends a disputed payment back once the arbiter's 90 days are over.
#[inline(never)]
pub fn refund_unresolved(call: &mut Call) -> ProgramResult {
    let Call { program, accounts, arguments } = call;
    require(arguments.is_empty(), Refusal::MalformedInstruction)?;
    let payment = read(program, accounts)?;
    require(payment.status == status::DISPUTED, Refusal::NotDisputed)?;
    let at = now()?;
    require(at >= payment.disputed_at + ARBITRATION_SECONDS, Refusal::ArbitrationRunning)?;
    pay_out(&payment, accounts, &Decision { outcome: outcome::REFUNDED_UNRESOLVED, to_recipient: false, at })
}

/// A copy of the payment, whose funds are still in the vault.
#[inline(always)]
fn read(program: &Address, accounts: &mut [AccountView]) -> Result<Payment, ProgramError> {
    let [operator, account, ..] = accounts else {
        return Err(Refusal::MissingAccounts.into());
    };
    let payment = *read_payment(program, operator, account)?;
    let waiting = payment.status == status::PROTECTED || payment.status == status::DISPUTED;
    require(waiting, Refusal::AlreadyPaidOut)?;
    Ok(payment)
}

#[inline(always)]
fn read_actor(accounts: &[AccountView]) -> Result<AccountView, ProgramError> {
    accounts.get(ACTOR).copied().ok_or(Refusal::MissingAccounts.into())
}

#[inline(never)]
fn pay_out(payment: &Payment, accounts: &mut [AccountView], decision: &Decision) -> ProgramResult {
    let [_operator, account, payer, sender, beneficiary, destination, vault, mint, token_program, _associated, system_program, ..] =
        accounts
    else {
        return Err(Refusal::MissingAccounts.into());
    };
    let beneficiary_key = if decision.to_recipient { &payment.recipient } else { &payment.sender };
    require(is_key(sender, &payment.sender), Refusal::WrongSender)?;
    require(is_key(beneficiary, beneficiary_key), Refusal::WrongBeneficiary)?;
    require(is_key(mint, &payment.mint), Refusal::WrongMint)?;
    require(is_key(token_program, &payment.token_program), Refusal::WrongTokenProgram)?;
    require(
        is_associated(vault, account.address().as_array(), &payment.mint, &payment.token_program),
        Refusal::WrongVault,
    )?;
    let held = read_holding(vault, token_program).ok_or(Refusal::WrongVault)?;
    require(held.amount >= payment.amount, Refusal::VaultShort)?;
    require(!held.frozen, Refusal::VaultFrozen)?;

    // A beneficiary who signs may name any of their token accounts: the way out where their own is frozen.
    let own = is_associated(destination, beneficiary_key, &payment.mint, &payment.token_program);
    require(own || beneficiary.is_signer(), Refusal::WrongDestination)?;
    let missing = own && !destination.owned_by(token_program.address());
    if missing {
        require_signer(payer)?;
        create_associated(&NewHolding {
            payer,
            account: destination,
            owner: beneficiary,
            mint,
            system_program,
            token_program,
        })?;
    }
    require_destination(destination, token_program, beneficiary_key, &payment.mint)?;

    let id = payment.payment_id.to_le_bytes();
    let bump = [payment.bump];
    let seeds = [
        Seed::from(b"payment"),
        Seed::from(&payment.operator),
        Seed::from(&payment.sender),
        Seed::from(&id),
        Seed::from(&bump),
    ];
    let signers = [Signer::from(&seeds)];
    // The whole balance, not the amount: what anyone else sent to the vault goes along, or it could not be closed.
    let movement = Movement {
        token_program,
        from: vault,
        mint,
        to: destination,
        authority: account,
        amount: held.amount,
        decimals: payment.decimals,
    };
    transfer(&movement, &signers)?;
    if !holds_withheld_fees(vault) {
        // Whoever paid for the destination gets the same sum back from the vault; else it returns to who paid for the vault's making.
        close(&movement, if missing { payer } else { sender }, &signers)?;
    }

    // SAFETY: `read` found a payment in this account; no call since could change it.
    let record = unsafe { &mut *(account.data_mut_ptr() as *mut Payment) };
    record.status = if decision.to_recipient { status::RELEASED } else { status::REFUNDED };
    record.outcome = decision.outcome;
    record.resolved_at = decision.at;
    log_account(account);
    Ok(())
}

/// An associated account may have been given away since (SPL Token allows it), so the owner is read, not assumed.
#[inline(never)]
fn require_destination(
    destination: &AccountView,
    token_program: &AccountView,
    owner: &Key,
    mint: &Key,
) -> ProgramResult {
    let holding = read_holding(destination, token_program).ok_or(Refusal::WrongDestination)?;
    require(holding.owner == *owner && holding.mint == *mint, Refusal::WrongDestination)?;
    require(!holding.frozen, Refusal::DestinationFrozen)
}
