//! Finding out what an account is before trusting a byte of it, and bringing new ones into the world.

use crate::{
    layout::{
        Key, Operator, Payment, OPERATOR_LEN, OPERATOR_TAG, PAYMENT_LEN, PAYMENT_TAG, TOMBSTONE_LEN, TOMBSTONE_TAG,
        VERSION,
    },
    refusal::{require, Refusal},
    sysvars::rent_minimum,
};
use pinocchio::{
    cpi::{Seed, Signer},
    error::ProgramError,
    AccountView, Address, ProgramResult,
};
use pinocchio_system::instructions::{Allocate, Assign, CreateAccount, Transfer};

#[inline(always)]
pub fn is_key(account: &AccountView, key: &Key) -> bool {
    account.address().as_array() == key
}

/// The derived address of these seeds and its bump.
#[inline(always)]
pub fn find_address(seeds: &[&[u8]], program: &Address) -> Option<(Address, u8)> {
    #[cfg(any(target_os = "solana", target_arch = "bpf"))]
    return Address::try_find_program_address(seeds, program);
    // On the host, where only the layout is used, there is nothing to derive with.
    #[cfg(not(any(target_os = "solana", target_arch = "bpf")))]
    {
        core::hint::black_box((seeds, program));
        None
    }
}

#[inline(always)]
pub fn require_signer(account: &AccountView) -> ProgramResult {
    require(account.is_signer(), Refusal::MissingSignature)
}

/// The operator at account 0: ours, and of the right kind. The reference must not outlive a CPI that could change the account; none does.
#[inline(always)]
pub fn read_operator<'a>(program: &Address, account: &'a mut AccountView) -> Result<&'a mut Operator, ProgramError> {
    require(account.owned_by(program) && account.data_len() == OPERATOR_LEN, Refusal::NotAnOperator)?;
    // SAFETY: the length is the struct's, its alignment is 1, and any bytes are a valid value.
    let operator = unsafe { &mut *(account.data_mut_ptr() as *mut Operator) };
    require(operator.tag == OPERATOR_TAG && operator.version == VERSION, Refusal::NotAnOperator)?;
    Ok(operator)
}

/// The payment at account 1: ours, not closed, and under the operator at account 0.
#[inline(always)]
pub fn read_payment<'a>(
    program: &Address,
    operator: &mut AccountView,
    account: &'a mut AccountView,
) -> Result<&'a mut Payment, ProgramError> {
    read_operator(program, operator)?;
    require(account.owned_by(program), Refusal::NotAPayment)?;
    if account.data_len() != PAYMENT_LEN {
        // SAFETY: the length is checked before the byte is read.
        let closed = account.data_len() == TOMBSTONE_LEN && unsafe { *account.data_ptr() } == TOMBSTONE_TAG;
        return Err(if closed { Refusal::PaymentClosed } else { Refusal::NotAPayment }.into());
    }
    // SAFETY: the length is the struct's, account data is 8-aligned, and any bytes are a valid value.
    let payment = unsafe { &mut *(account.data_mut_ptr() as *mut Payment) };
    require(payment.tag == PAYMENT_TAG && payment.version == VERSION, Refusal::NotAPayment)?;
    require(is_key(operator, &payment.operator), Refusal::WrongOperator)?;
    Ok(payment)
}

pub struct NewAccount<'a> {
    pub account: &'a AccountView,
    pub payer: &'a AccountView,
    pub program: &'a Address,
    pub len: usize,
}

/// Makes a derived address an account of this program. Anyone may have sent lamports there before, which plain creation would refuse.
pub fn create_account(new: &NewAccount, seeds: &[Seed]) -> ProgramResult {
    let signers = [Signer::from(seeds)];
    let needed = rent_minimum(new.len)?;
    let held = new.account.lamports();
    if held == 0 {
        return CreateAccount {
            from: new.payer,
            to: new.account,
            lamports: needed,
            space: new.len as u64,
            owner: new.program,
        }
        .invoke_signed(&signers);
    }
    if held < needed {
        Transfer { from: new.payer, to: new.account, lamports: needed - held }.invoke()?;
    }
    Allocate { account: new.account, space: new.len as u64 }.invoke_signed(&signers)?;
    Assign { account: new.account, owner: new.program }.invoke_signed(&signers)
}
