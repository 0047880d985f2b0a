//! Why the program refuses. Codes are never renumbered or reused.

use pinocchio::error::ProgramError;

/// Codes begin here, so that they cannot be taken for those of the token, system and associated-token programs.
const FIRST_CODE: u32 = 7000;

/// Declares the refusals with their numbers, and the list of them all.
macro_rules! refusals {
    ($($name:ident = $number:literal,)*) => {
        #[repr(u32)]
        #[derive(Clone, Copy, Debug)]
        pub enum Refusal {
            $($name = $number,)*
        }

        impl Refusal {
            pub const ALL: &'static [Refusal] = &[$(Refusal::$name,)*];
        }
    };
}

refusals! {
    UnknownInstruction = 0,
    MalformedInstruction = 1,
    MissingAccounts = 2,
    MissingSignature = 3,
    NotAnOperator = 4,
    NotAPayment = 5,
    PaymentClosed = 6,
    WrongOperator = 7,
    WrongAddress = 8,
    OperatorExists = 9,
    InvalidArbiter = 10,
    WrongAuthority = 11,
    NotProposed = 12,
    PaymentExists = 13,
    SenderIsRecipient = 14,
    InvalidRecipient = 15,
    ZeroAmount = 16,
    InvalidPeriod = 17,
    OfferExpired = 18,
    WrongTokenProgram = 19,
    WrongMint = 20,
    WrongVault = 21,
    AmountNotReceived = 22,
    WrongSender = 23,
    WrongRecipient = 24,
    WrongArbiter = 25,
    AlreadyDisputed = 26,
    NotDisputed = 27,
    AlreadyPaidOut = 28,
    NotPaidOut = 29,
    ProtectionOver = 30,
    ProtectionRunning = 31,
    ArbitrationOver = 32,
    ArbitrationRunning = 33,
    WrongBeneficiary = 34,
    WrongDestination = 35,
    VaultShort = 36,
    RetentionRunning = 37,
    DestinationFrozen = 38,
    VaultFrozen = 39,
    AlreadyDecided = 40,
    NothingDue = 41,
    InvalidTotal = 42,
    LessBound = 43,
    ArbiterChanged = 44,
    DestinationMissing = 45,
    VaultOpen = 46,
    RentPayerShort = 47,
    RentRisen = 48,
    WrongRentPayer = 49,
}

impl Refusal {
    #[inline(always)]
    pub const fn code(self) -> u32 {
        FIRST_CODE + self as u32
    }
}

impl From<Refusal> for ProgramError {
    #[inline(always)]
    fn from(refusal: Refusal) -> Self {
        ProgramError::Custom(refusal.code())
    }
}

/// `Ok` where the condition holds, else the refusal.
#[inline(always)]
pub fn require(condition: bool, refusal: Refusal) -> Result<(), ProgramError> {
    if condition {
        Ok(())
    } else {
        Err(refusal.into())
    }
}
