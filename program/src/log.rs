//! Every change is logged as the whole account, so that a reader of transactions sees the state without asking for the account.

use pinocchio::AccountView;

/// Emits the account's data as one `Program data:` line.
#[inline(always)]
pub fn log_account(account: &AccountView) {
    // SAFETY: read at once; nothing else holds the data.
    let data: &[u8] = unsafe { account.borrow_unchecked() };
    let fields: [&[u8]; 1] = [data];
    #[cfg(any(target_os = "solana", target_arch = "bpf"))]
    // SAFETY: a pointer to one slice, and the number one.
    unsafe {
        pinocchio::syscalls::sol_log_data(fields.as_ptr() as *const u8, 1)
    };
    #[cfg(not(any(target_os = "solana", target_arch = "bpf")))]
    core::hint::black_box(fields);
}
