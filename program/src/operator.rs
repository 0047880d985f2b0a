//! The operator account: made by its authority; authority and arbiter are replaced by a proposal that the new key accepts.

use crate::{
    accounts::{create_account, find_address, is_key, read_operator, require_signer, NewAccount},
    layout::{role, Key, Operator, NO_KEY, OPERATOR_LEN, OPERATOR_TAG, VERSION},
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
            pending_authority: NO_KEY,
            pending_arbiter: NO_KEY,
        };
    }
    log_account(account);
    Ok(())
}

/// Accounts: operator (w), authority (s). Arguments: role, key; zeros withdraw the proposal.
pub fn propose(call: &mut Call) -> ProgramResult {
    let Call { program, accounts, arguments } = call;
    let [account, authority, ..] = &mut **accounts else {
        return Err(Refusal::MissingAccounts.into());
    };
    let Some((role, key)) = arguments.split_first() else {
        return Err(Refusal::MalformedInstruction.into());
    };
    let proposed = read_key(key)?;
    require_role(*role)?;
    let operator = read_operator(program, account)?;
    require(is_key(authority, &operator.authority), Refusal::WrongAuthority)?;
    require_signer(authority)?;

    match *role {
        role::AUTHORITY => operator.pending_authority = proposed,
        _ => operator.pending_arbiter = proposed,
    }
    log_account(account);
    Ok(())
}

/// Accounts: operator (w), the proposed key (s). Arguments: role. An arbiter decides the payments made from here on.
pub fn accept(call: &mut Call) -> ProgramResult {
    let Call { program, accounts, arguments } = call;
    let [account, key, ..] = &mut **accounts else {
        return Err(Refusal::MissingAccounts.into());
    };
    let [role] = **arguments else {
        return Err(Refusal::MalformedInstruction.into());
    };
    require_role(role)?;
    let operator = read_operator(program, account)?;
    let proposed = if role == role::AUTHORITY { operator.pending_authority } else { operator.pending_arbiter };
    require(proposed != NO_KEY && is_key(key, &proposed), Refusal::NotProposed)?;
    require_signer(key)?;

    if role == role::AUTHORITY {
        operator.authority = proposed;
        // Else an arbiter whom the old authority proposed could still take office.
        operator.pending_authority = NO_KEY;
    } else {
        operator.arbiter = proposed;
    }
    operator.pending_arbiter = NO_KEY;
    log_account(account);
    Ok(())
}

fn require_role(role: u8) -> ProgramResult {
    require(role == role::AUTHORITY || role == role::ARBITER, Refusal::MalformedInstruction)
}
