//! The one way tokens leave the vault: `pay_out` sends one side what is due to it. Anyone may send it; it has no payer,
//! makes no account, and credits lamports only after the last call to another program, to accounts that can hold them.

use crate::{
    accounts::{is_key, read_payment},
    layout::{Key, Payment},
    log::log_account,
    refusal::{require, Refusal},
    state::{Part, Side},
    sysvars::{can_hold, now},
    token::{close, holds_withheld_fees, is_associated, program_of, read_holding, transfer, Movement},
    Call,
};
use pinocchio::{
    cpi::{Seed, Signer},
    error::ProgramError,
    AccountView, ProgramResult,
};

/// What one call sends, and what it leaves.
struct Plan {
    /// Due to the beneficiary; of a sweep: what lies there.
    due: u64,
    /// Tokens to transfer.
    send: u64,
    /// Nothing is left to leave afterwards, so the vault may be closed.
    last: bool,
    native: bool,
}

/// Accounts: operator, payment (w), rent payer (w), beneficiary (s where the destination is not its associated token
/// account), destination (w), vault (w), mint, token program, trailing. Arguments: 0 to the recipient, 1 to the sender.
#[inline(never)]
pub fn pay_out(call: &mut Call) -> ProgramResult {
    let Call { program, accounts, arguments } = call;
    let [operator, account, rent_payer, beneficiary, destination, vault, mint, token_program, trailing @ ..] =
        &mut **accounts
    else {
        return Err(Refusal::MissingAccounts.into());
    };
    let side = match **arguments {
        [0] => Side::Recipient,
        [1] => Side::Sender,
        _ => return Err(Refusal::MalformedInstruction.into()),
    };
    let mut payment = *read_payment(program, operator, account)?;
    let left = payment.left();
    let part = payment.take_part(side, now()?)?;

    let beneficiary_key = if side == Side::Recipient { payment.recipient } else { payment.sender };
    let token_program_key = program_of(payment.token_program);
    require(is_key(rent_payer, &payment.rent_payer), Refusal::WrongRentPayer)?;
    require(is_key(beneficiary, &beneficiary_key), Refusal::WrongBeneficiary)?;
    require(is_key(mint, &payment.mint), Refusal::WrongMint)?;
    require(is_key(token_program, token_program_key), Refusal::WrongTokenProgram)?;
    let own_vault = is_associated(vault, account.address().as_array(), &payment.mint, token_program_key);
    require(own_vault, Refusal::WrongVault)?;

    let plan = plan(&part, left, vault, token_program)?;
    if plan.due > 0 {
        let own = is_associated(destination, &beneficiary_key, &payment.mint, token_program_key);
        // A beneficiary who signs may name any of their token accounts: the way out where their own is frozen.
        require(own || beneficiary.is_signer(), Refusal::WrongDestination)?;
        require(!own || destination.owned_by(token_program.address()), Refusal::DestinationMissing)?;
        require_destination(destination, token_program, &beneficiary_key, &payment.mint)?;
    }

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
    let movement = Movement {
        token_program,
        from: vault,
        mint,
        to: destination,
        authority: account,
        amount: plan.send,
        decimals: payment.decimals,
        trailing,
    };
    if plan.send > 0 {
        transfer(&movement, &signers)?;
    }
    if plan.last {
        // What the destination gets in lamports: where a native vault's balance fell short of what is due.
        let owed = if plan.native { plan.due - plan.send } else { 0 };
        let freed = vault.lamports();
        let able = can_hold(rent_payer, freed - owed);
        let closes = if plan.native { able || plan.due > 0 } else { able && !holds_withheld_fees(vault) };
        // Else a sweep would say that it did something.
        require(closes || plan.due > 0, Refusal::NothingDue)?;
        if closes {
            close(&movement, &signers)?;
            // No call to another program from here on: a credit in front of one would have to be told to it, and one
            // made inside it is not kept for an executable account.
            let to_destination = if able { owed } else { freed };
            account.set_lamports(account.lamports() - freed);
            destination.set_lamports(destination.lamports() + to_destination);
            rent_payer.set_lamports(rent_payer.lamports() + (freed - to_destination));
        }
    }
    if let Part::Due { .. } = part {
        // SAFETY: `read_payment` found a payment in this account; no call since could change it.
        unsafe { *(account.data_mut_ptr() as *mut Payment) = payment };
        log_account(account);
    }
    Ok(())
}

/// What to send of what the vault holds. A part leaves only if everything still to leave is there: where an issuer has
/// taken tokens, the first to come must not take the other side's.
fn plan(part: &Part, left: u64, vault: &AccountView, token_program: &AccountView) -> Result<Plan, ProgramError> {
    let held = read_holding(vault, token_program);
    let (held, due, last) = match (part, held) {
        (Part::Due { amount, last }, Some(held)) => (held, *amount, *last),
        (Part::Sweep, Some(held)) => {
            let all = held.amount;
            (held, all, true)
        }
        (Part::Due { .. }, None) => return Err(Refusal::WrongVault.into()),
        (Part::Sweep, None) => return Err(Refusal::AlreadyPaidOut.into()),
    };
    let covered = match (held.native, last) {
        (false, _) => held.amount >= left,
        // Nobody can seize native tokens, but after a rent change anybody can sync the balance below what the lamports cover.
        (true, false) => held.amount >= due,
        (true, true) => vault.lamports() >= due,
    };
    require(covered, Refusal::VaultShort)?;
    require(due == 0 || !held.frozen, Refusal::VaultFrozen)?;
    // The last part takes along what others sent there, or the vault could not be closed; native dust goes with the rent.
    let send = if last && !held.native { held.amount } else { due.min(held.amount) };
    Ok(Plan { due, send, last, native: held.native })
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
