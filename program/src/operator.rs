//! The operator account: made by its authority; its arbiter replaced by a proposal that the new key accepts.

use crate::{
    accounts::{create_account, find_address, is_key, read_operator, require_signer, NewAccount},
    layout::{Key, Operator, NO_KEY, OPERATOR_LEN, OPERATOR_TAG, VERSION},
    log::log_account,
    refusal::{require, Refusal},
    Call,
};
use pinocchio::{cpi::Seed, error::ProgramError, ProgramResult};

fn read_key(arguments: &[u8]) -> Result<Key, ProgramError> {
    arguments.try_into().map_err(|_| Refusal::MalformedInstruction.into())
}

/// Accounts: operator (w), authority (s), payer (w, s), system program. Arguments: arbiter.
pub fn create_operator(call: &mut Call) -> ProgramResult {
    let Call { program, accounts, arguments } = call;
    let [account, authority, payer, _system_program, ..] = &mut **accounts else {
        return Err(Refusal::MissingAccounts.into());
    };
    let arbiter = read_key(arguments)?;
    require_signer(authority)?;
    require_signer(payer)?;
    require(arbiter != NO_KEY, Refusal::InvalidArbiter)?;

    let seeds: [&[u8]; 2] = [b"operator", authority.address().as_ref()];
    let Some((address, bump)) = find_address(&seeds, program) else {
        return Err(Refusal::WrongAddress.into());
    };
    require(*account.address() == address, Refusal::WrongAddress)?;
    require(!account.owned_by(program), Refusal::OperatorExists)?;

    create_account(
        &NewAccount { account, payer, program, len: OPERATOR_LEN },
        &[Seed::from(seeds[0]), Seed::from(seeds[1]), Seed::from(&[bump])],
    )?;
    // SAFETY: the account was just made with this length; the alignment is 1.
    unsafe {
        *(account.data_mut_ptr() as *mut Operator) = Operator {
            tag: OPERATOR_TAG,
            version: VERSION,
            bump,
            reserved: [0; 5],
            authority: *authority.address().as_array(),
            arbiter,
            pending_arbiter: NO_KEY,
        };
    }
    log_account(account);
    Ok(())
}

/// Accounts: operator (w), authority (s). Arguments: the new arbiter; zeros withdraw the proposal.
pub fn propose_arbiter(call: &mut Call) -> ProgramResult {
    let Call { program, accounts, arguments } = call;
    let [account, authority, ..] = &mut **accounts else {
        return Err(Refusal::MissingAccounts.into());
    };
    let proposed = read_key(arguments)?;
    let operator = read_operator(program, account)?;
    require(is_key(authority, &operator.authority), Refusal::WrongAuthority)?;
    require_signer(authority)?;

    operator.pending_arbiter = proposed;
    log_account(account);
    Ok(())
}

/// Accounts: operator (w), the proposed arbiter (s). From here on every open dispute is this arbiter's.
pub fn accept_arbiter(call: &mut Call) -> ProgramResult {
    let Call { program, accounts, arguments } = call;
    let [account, arbiter, ..] = &mut **accounts else {
        return Err(Refusal::MissingAccounts.into());
    };
    require(arguments.is_empty(), Refusal::MalformedInstruction)?;
    let operator = read_operator(program, account)?;
    let proposed = operator.pending_arbiter;
    require(proposed != NO_KEY && is_key(arbiter, &proposed), Refusal::NotProposed)?;
    require_signer(arbiter)?;

    operator.arbiter = proposed;
    operator.pending_arbiter = NO_KEY;
    log_account(account);
    Ok(())
}
