//! SPL Token and Token-2022 by one path: the same layouts up to byte 165, the same instruction numbers.

use crate::{
    accounts::find_address,
    layout::{token_program as kind, Key},
    refusal::{require, Refusal},
};
use pinocchio::{
    cpi::{invoke, invoke_signed, invoke_signed_with_bounds, Signer},
    error::ProgramError,
    instruction::{InstructionAccount, InstructionView},
    AccountView, Address, ProgramResult,
};

/// TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA
const TOKEN: Address = Address::new_from_array([
    6, 221, 246, 225, 215, 101, 161, 147, 217, 203, 225, 70, 206, 235, 121, 172, 28, 180, 133, 237, 95, 91, 55, 145,
    58, 140, 245, 133, 126, 255, 0, 169,
]);
/// TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb
const TOKEN_2022: Address = Address::new_from_array([
    6, 221, 246, 225, 238, 117, 143, 222, 24, 66, 93, 188, 228, 108, 205, 218, 182, 26, 252, 77, 131, 185, 13, 39, 254,
    189, 249, 40, 216, 161, 139, 252,
]);
/// ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL
const ASSOCIATED_TOKEN: Address = Address::new_from_array([
    140, 151, 37, 143, 78, 36, 137, 241, 187, 61, 16, 41, 20, 142, 13, 131, 11, 90, 19, 153, 218, 255, 16, 132, 4, 142,
    123, 216, 219, 233, 248, 89,
]);

const TRANSFER_CHECKED: u8 = 12;
const CLOSE_ACCOUNT: u8 = 9;
const CREATE_IDEMPOTENT: u8 = 1;

const MINT_LEN: usize = 82;
const MINT_DECIMALS: usize = 44;
const ACCOUNT_LEN: usize = 165;
const ACCOUNT_OWNER: usize = 32;
const ACCOUNT_AMOUNT: usize = 64;
const ACCOUNT_STATE: usize = 108;
/// 1: a native account; its rent reserve follows.
const ACCOUNT_NATIVE: usize = 109;
const STATE_FROZEN: u8 = 2;

/// Extensions follow the base account and one byte that says its kind: type u16, length u16, value.
const EXTENSIONS_START: usize = ACCOUNT_LEN + 1;
const EXTENSION_TRANSFER_FEE_AMOUNT: u16 = 2;
/// Token-2022 has 30-odd extensions, each at most once in an account.
const EXTENSIONS_MAX: usize = 64;

/// Accounts handed on for a transfer hook.
pub const TRAILING_MAX: usize = 16;
const TRANSFER_ACCOUNTS: usize = 4;
const TRANSFER_ACCOUNTS_MAX: usize = TRANSFER_ACCOUNTS + TRAILING_MAX;

/// The number of this token program in a payment's record.
pub fn read_kind(program: &AccountView) -> Result<u8, ProgramError> {
    if *program.address() == TOKEN {
        Ok(kind::TOKEN)
    } else if *program.address() == TOKEN_2022 {
        Ok(kind::TOKEN_2022)
    } else {
        Err(Refusal::WrongTokenProgram.into())
    }
}

/// The token program with this number in a payment's record.
#[inline(always)]
pub fn program_of(number: u8) -> &'static Key {
    if number == kind::TOKEN_2022 {
        TOKEN_2022.as_array()
    } else {
        TOKEN.as_array()
    }
}

/// The mint's decimals; refused where it is not a mint of this program. The transfer checks it again in full.
pub fn read_decimals(mint: &AccountView, token_program: &AccountView) -> Result<u8, ProgramError> {
    require(mint.owned_by(token_program.address()) && mint.data_len() >= MINT_LEN, Refusal::WrongMint)?;
    // SAFETY: the length is checked above; the byte is copied out.
    Ok(unsafe { *mint.data_ptr().add(MINT_DECIMALS) })
}

/// A token account as far as the program cares.
pub struct Holding {
    pub mint: Key,
    pub owner: Key,
    pub amount: u64,
    pub frozen: bool,
    /// Wrapped SOL: the balance is lamports, and changes with the price of storage when somebody syncs it.
    pub native: bool,
}

/// Reads a token account of this token program; None where it is not one.
#[inline(always)]
pub fn read_holding(account: &AccountView, token_program: &AccountView) -> Option<Holding> {
    if !account.owned_by(token_program.address()) || account.data_len() < ACCOUNT_LEN {
        return None;
    }
    let data = account.data_ptr();
    // SAFETY: all of them lie within the length checked above; account data is 8-aligned.
    unsafe {
        Some(Holding {
            mint: *(data as *const Key),
            owner: *(data.add(ACCOUNT_OWNER) as *const Key),
            amount: *(data.add(ACCOUNT_AMOUNT) as *const u64),
            frozen: *data.add(ACCOUNT_STATE) == STATE_FROZEN,
            native: *data.add(ACCOUNT_NATIVE) == 1,
        })
    }
}

/// Whether fees withheld in the account keep it from being closed (a Token-2022 mint whose fee began after the payment was made).
pub fn holds_withheld_fees(account: &AccountView) -> bool {
    // SAFETY: read at once; nothing else holds the data.
    let data: &[u8] = unsafe { account.borrow_unchecked() };
    let mut at = EXTENSIONS_START;
    for _ in 0..EXTENSIONS_MAX {
        let Some(header) = data.get(at..at + 4) else { return false };
        let kind = u16::from_le_bytes([header[0], header[1]]);
        let len = u16::from_le_bytes([header[2], header[3]]) as usize;
        let Some(value) = data.get(at + 4..at + 4 + len) else { return false };
        if kind == EXTENSION_TRANSFER_FEE_AMOUNT {
            return value.iter().any(|byte| *byte != 0);
        }
        at += 4 + len;
    }
    false
}

/// Whether this is the owner's associated token account.
pub fn is_associated(account: &AccountView, owner: &Key, mint: &Key, token_program: &Key) -> bool {
    let seeds: [&[u8]; 3] = [owner, token_program, mint];
    match find_address(&seeds, &ASSOCIATED_TOKEN) {
        Some((found, _)) => *account.address() == found,
        None => false,
    }
}

pub struct NewHolding<'a> {
    pub payer: &'a AccountView,
    pub account: &'a AccountView,
    pub owner: &'a AccountView,
    pub mint: &'a AccountView,
    pub system_program: &'a AccountView,
    pub token_program: &'a AccountView,
}

/// Makes the owner's associated token account unless it is there.
pub fn create_associated(new: &NewHolding) -> ProgramResult {
    let accounts = [
        InstructionAccount::writable_signer(new.payer.address()),
        InstructionAccount::writable(new.account.address()),
        InstructionAccount::readonly(new.owner.address()),
        InstructionAccount::readonly(new.mint.address()),
        InstructionAccount::readonly(new.system_program.address()),
        InstructionAccount::readonly(new.token_program.address()),
    ];
    let instruction =
        InstructionView { program_id: &ASSOCIATED_TOKEN, accounts: &accounts, data: &[CREATE_IDEMPOTENT] };
    invoke(&instruction, &[new.payer, new.account, new.owner, new.mint, new.system_program, new.token_program])
}

pub struct Movement<'a> {
    pub token_program: &'a AccountView,
    pub from: &'a AccountView,
    pub mint: &'a AccountView,
    pub to: &'a AccountView,
    pub authority: &'a AccountView,
    pub amount: u64,
    pub decimals: u8,
    /// For a transfer hook. Given to Token-2022 alone: SPL Token would read them as the signers of a multisignature.
    pub trailing: &'a [AccountView],
}

#[inline(never)]
pub fn transfer(movement: &Movement, signers: &[Signer]) -> ProgramResult {
    let mut data = [0u8; 10];
    data[0] = TRANSFER_CHECKED;
    data[1..9].copy_from_slice(&movement.amount.to_le_bytes());
    data[9] = movement.decimals;
    let hooked = *movement.token_program.address() == TOKEN_2022;
    let trailing = if hooked { movement.trailing } else { &[] };

    let mut metas = [const { InstructionAccount::readonly(&TOKEN) }; TRANSFER_ACCOUNTS_MAX];
    let mut views = [movement.from; TRANSFER_ACCOUNTS_MAX];
    metas[0] = InstructionAccount::writable(movement.from.address());
    metas[1] = InstructionAccount::readonly(movement.mint.address());
    metas[2] = InstructionAccount::writable(movement.to.address());
    metas[3] = InstructionAccount::readonly_signer(movement.authority.address());
    views[1] = movement.mint;
    views[2] = movement.to;
    views[3] = movement.authority;
    let mut count = TRANSFER_ACCOUNTS;
    for account in trailing.iter().take(TRAILING_MAX) {
        // Never as a signer: what a caller signs for is not the hook's.
        metas[count] = InstructionAccount::new(account.address(), account.is_writable(), false);
        views[count] = account;
        count += 1;
    }
    let instruction =
        InstructionView { program_id: movement.token_program.address(), accounts: &metas[..count], data: &data };
    invoke_signed_with_bounds::<TRANSFER_ACCOUNTS_MAX, &AccountView>(&instruction, &views[..count], signers)
}

/// Closes a token account that is empty, or wrapped SOL; its lamports go to the account that signs for it.
pub fn close(movement: &Movement, signers: &[Signer]) -> ProgramResult {
    let accounts = [
        InstructionAccount::writable(movement.from.address()),
        InstructionAccount::writable(movement.authority.address()),
        InstructionAccount::readonly_signer(movement.authority.address()),
    ];
    let instruction =
        InstructionView { program_id: movement.token_program.address(), accounts: &accounts, data: &[CLOSE_ACCOUNT] };
    invoke_signed(&instruction, &[movement.from, movement.authority, movement.authority], signers)
}
