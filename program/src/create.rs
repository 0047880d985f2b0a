//! A payment begins: its account is made, and exactly its amount moves into its vault.

use crate::{
    accounts::{create_account, find_address, read_operator, require_signer, NewAccount},
    layout::{outcome, status, Key, Payment, PAYMENT_LEN, PAYMENT_TAG, PERIOD_SECONDS, VERSION},
    log::log_account,
    refusal::{require, Refusal},
    sysvars::now,
    token::{create_associated, is_associated, read_decimals, read_holding, read_kind, transfer, Movement, NewHolding},
    Call,
};
use pinocchio::{cpi::Seed, error::ProgramError, ProgramResult};

const ARGUMENTS_LEN: usize = 8 + 8 + 1 + 8 + 32 + 32;

struct Offer {
    payment_id: u64,
    amount: u64,
    period: u8,
    /// The last second at which the payment may be made; 0: no limit.
    not_after: i64,
    /// The operator's arbiter as the buyer's transaction expects them.
    arbiter: Key,
    terms_hash: Key,
}

#[inline(always)]
fn read_offer(arguments: &[u8]) -> Result<Offer, ProgramError> {
    require(arguments.len() == ARGUMENTS_LEN, Refusal::MalformedInstruction)?;
    let word = |at: usize| {
        let mut bytes = [0u8; 8];
        bytes.copy_from_slice(&arguments[at..at + 8]);
        u64::from_le_bytes(bytes)
    };
    let key = |at: usize| {
        let mut bytes = [0u8; 32];
        bytes.copy_from_slice(&arguments[at..at + 32]);
        bytes
    };
    Ok(Offer {
        payment_id: word(0),
        amount: word(8),
        period: arguments[16],
        not_after: word(17) as i64,
        arbiter: key(25),
        terms_hash: key(57),
    })
}

/// Accounts: operator, payment (w), sender (s), payer (w, s), recipient, mint, source (w), vault (w), token program,
/// associated token program, system program, trailing. Arguments: payment id u64, amount u64, period u8, not_after i64,
/// arbiter, terms hash.
#[inline(never)]
pub fn create_payment(call: &mut Call) -> ProgramResult {
    let Call { program, accounts, arguments } = call;
    let [operator, payment, sender, payer, recipient, mint, source, vault, token_program, _associated, system_program, trailing @ ..] =
        &mut **accounts
    else {
        return Err(Refusal::MissingAccounts.into());
    };
    let offer = read_offer(arguments)?;
    require_signer(sender)?;
    require_signer(payer)?;
    let arbiter = read_operator(program, operator)?.arbiter;
    require(arbiter == offer.arbiter, Refusal::ArbiterChanged)?;

    let id = offer.payment_id.to_le_bytes();
    let seeds: [&[u8]; 4] = [b"payment", operator.address().as_ref(), sender.address().as_ref(), &id];
    let Some((address, bump)) = find_address(&seeds, program) else {
        return Err(Refusal::WrongAddress.into());
    };
    require(*payment.address() == address, Refusal::WrongAddress)?;
    // A tombstone is ours too: an address is never born twice.
    require(!payment.owned_by(program), Refusal::PaymentExists)?;

    require(sender.address() != recipient.address(), Refusal::SenderIsRecipient)?;
    // Neither this payment, whose associated token account is the vault, nor another: the funds could not leave.
    let ours = payment.address() == recipient.address() || recipient.owned_by(program);
    require(!ours, Refusal::InvalidRecipient)?;
    require(offer.amount > 0, Refusal::ZeroAmount)?;
    let Some(seconds) = PERIOD_SECONDS.get(offer.period as usize) else {
        return Err(Refusal::InvalidPeriod.into());
    };
    let created_at = now()?;
    require(offer.not_after == 0 || created_at <= offer.not_after, Refusal::OfferExpired)?;
    let kind = read_kind(token_program)?;
    let decimals = read_decimals(mint, token_program)?;
    let mint_key = mint.address().as_array();
    let token_program_key = token_program.address().as_array();
    require(is_associated(vault, payment.address().as_array(), mint_key, token_program_key), Refusal::WrongVault)?;

    create_account(
        &NewAccount { account: payment, payer, program, len: PAYMENT_LEN },
        &[Seed::from(seeds[0]), Seed::from(seeds[1]), Seed::from(seeds[2]), Seed::from(seeds[3]), Seed::from(&[bump])],
    )?;
    create_associated(&NewHolding { payer, account: vault, owner: payment, mint, system_program, token_program })?;

    // The difference counts, not the balance: anyone may have sent tokens to the vault before.
    let before = read_holding(vault, token_program).ok_or(Refusal::WrongVault)?.amount;
    transfer(
        &Movement {
            token_program,
            from: source,
            mint,
            to: vault,
            authority: sender,
            amount: offer.amount,
            decimals,
            trailing,
        },
        &[],
    )?;
    let after = read_holding(vault, token_program).ok_or(Refusal::WrongVault)?.amount;
    require(after.wrapping_sub(before) == offer.amount, Refusal::AmountNotReceived)?;

    // SAFETY: the account was just made with this length, and account data is 8-aligned.
    unsafe {
        *(payment.data_mut_ptr() as *mut Payment) = Payment {
            tag: PAYMENT_TAG,
            version: VERSION,
            bump,
            status: status::PROTECTED,
            period: offer.period,
            decimals,
            outcome: outcome::NONE,
            token_program: kind,
            payment_id: offer.payment_id,
            amount: offer.amount,
            refund_total: 0,
            amount_refunded: 0,
            amount_released: 0,
            created_at,
            deadline: created_at + seconds,
            disputed_at: 0,
            settled_at: 0,
            refunded_at: 0,
            sender: *sender.address().as_array(),
            recipient: *recipient.address().as_array(),
            mint: *mint_key,
            operator: *operator.address().as_array(),
            arbiter,
            rent_payer: *payer.address().as_array(),
            terms_hash: offer.terms_hash,
        };
    }
    log_account(payment);
    Ok(())
}
