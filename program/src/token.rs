//! SPL Token and Token-2022 by one path: the same layouts up to byte 165, the same instruction numbers.

use crate::{
    accounts::find_address,
    layout::Key,
    refusal::{require, Refusal},
};
use pinocchio::{
    cpi::{invoke, invoke_signed, Signer},
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
const STATE_FROZEN: u8 = 2;

/// Extensions follow the base account and one byte that says its kind: type u16, length u16, value.
const EXTENSIONS_START: usize = ACCOUNT_LEN + 1;
const EXTENSION_TRANSFER_FEE_AMOUNT: u16 = 2;
/// Token-2022 has 30-odd extensions, each at most once in an account.
const EXTENSIONS_MAX: usize = 64;

pub fn require_token_program(program: &AccountView) -> ProgramResult {
    require(*program.address() == TOKEN || *program.address() == TOKEN_2022, Refusal::WrongTokenProgram)
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
}

/// Reads a token account of this token program; None where it is not one.
#[inline(always)]
pub fn read_holding(account: &AccountView, token_program: &AccountView) -> Option<Holding> {
    if !account.owned_by(token_program.address()) || account.data_len() < ACCOUNT_LEN {
        return None;
    }
    let data = account.data_ptr();
    // SAFETY: all four lie within the length checked above; account data is 8-aligned.
    unsafe {
        Some(Holding {
            mint: *(data as *const Key),
            owner: *(data.add(ACCOUNT_OWNER) as *const Key),
            amount: *(data.add(ACCOUNT_AMOUNT) as *const u64),
            frozen: *data.add(ACCOUNT_STATE) == STATE_FROZEN,
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
}

pub fn transfer(movement: &Movement, signers: &[Signer]) -> ProgramResult {
    let mut data = [0u8; 10];
    data[0] = TRANSFER_CHECKED;
    data[1..9].copy_from_slice(&movement.amount.to_le_bytes());
    data[9] = movement.decimals;
    let accounts = [
        InstructionAccount::writable(movement.from.address()),
        InstructionAccount::readonly(movement.mint.address()),
        InstructionAccount::writable(movement.to.address()),
        InstructionAccount::readonly_signer(movement.authority.address()),
    ];
    let instruction =
        InstructionView { program_id: movement.token_program.address(), accounts: &accounts, data: &data };
    invoke_signed(&instruction, &[movement.from, movement.mint, movement.to, movement.authority], signers)
}

/// Closes an empty token account (a wrapped-SOL one may hold lamports nobody synced); its lamports go to `rent_to`.
pub fn close(movement: &Movement, rent_to: &AccountView, signers: &[Signer]) -> ProgramResult {
    let accounts = [
        InstructionAccount::writable(movement.from.address()),
        InstructionAccount::writable(rent_to.address()),
        InstructionAccount::readonly_signer(movement.authority.address()),
    ];
    let instruction =
        InstructionView { program_id: movement.token_program.address(), accounts: &accounts, data: &[CLOSE_ACCOUNT] };
    invoke_signed(&instruction, &[movement.from, rent_to, movement.authority], signers)
}
