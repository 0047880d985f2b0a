//! Whom to tell of a weakness, in the file itself: the `security.txt` of Solana programs, which is keys and values between
//! two marks, each ended by a zero byte. Somebody who deploys the program puts their own answers here first.

/// Puts pairs between the marks that explorers and tools look for.
macro_rules! security_txt {
    ($($key:literal: $value:literal,)*) => {
        concat!(
            "=======BEGIN SECURITY.TXT V1=======\0",
            $($key, "\0", $value, "\0",)*
            "=======END SECURITY.TXT V1=======\0"
        )
    };
}

const TEXT: &str = security_txt! {
    "name": "Holdfast escrow",
    "project_url": "none yet; a deployment names its own",
    "contacts": "other:private vulnerability report on the security page of the source repository",
    "policy": "SECURITY.md of the source repository: report privately, try nothing on deployments or funds of others",
    "preferred_languages": "en",
    "auditors": "None",
};

/// Kept by name, since no code reads it.
#[used]
#[no_mangle]
pub static SECURITY_TXT: [u8; TEXT.len()] = {
    let mut bytes = [0; TEXT.len()];
    let mut at = 0;
    while at < bytes.len() {
        bytes[at] = TEXT.as_bytes()[at];
        at += 1;
    }
    bytes
};
