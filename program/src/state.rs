//! The state table (`SPECIFICATION.md`, section 3): who may do what is decided before; here is what it does, and when not.
//! Pure: a payment, a number and the time in, the changed payment or the refusal out.

use crate::{
    layout::{outcome, status, Payment, ARBITRATION_SECONDS, RETENTION_SECONDS},
    refusal::{require, Refusal},
};
use pinocchio::{error::ProgramError, ProgramResult};

#[derive(Clone, Copy, PartialEq)]
pub enum Side {
    Recipient,
    Sender,
}

/// What one payout sends.
pub enum Part {
    /// So much is due; `last`: nothing is left to leave after it.
    Due { amount: u64, last: bool },
    /// All that is due has left; what lies in the vault goes to this side, if there is a vault.
    Sweep,
}

impl Payment {
    /// All that was due has left.
    pub fn is_finished(&self) -> bool {
        self.status == status::RELEASED || self.status == status::REFUNDED
    }

    /// What is still to leave, to either side, decided or not.
    pub fn left(&self) -> u64 {
        self.amount - self.amount_refunded - self.amount_released
    }

    fn require_open(&self) -> ProgramResult {
        require(!self.is_finished(), Refusal::AlreadyPaidOut)?;
        require(self.outcome == outcome::NONE, Refusal::AlreadyDecided)
    }

    /// Before the deadline and never at it: from the deadline on, the payment can be settled.
    pub fn open_dispute(&mut self, now: i64) -> ProgramResult {
        self.require_open()?;
        require(self.status == status::PROTECTED, Refusal::AlreadyDisputed)?;
        require(now < self.deadline, Refusal::ProtectionOver)?;
        self.status = status::DISPUTED;
        self.disputed_at = now;
        Ok(())
    }

    /// The arbiter's ruling: the sender has this total in the end, and never less than the recipient has given already.
    pub fn resolve(&mut self, total: u64, now: i64) -> ProgramResult {
        self.require_open()?;
        require(self.status == status::DISPUTED, Refusal::NotDisputed)?;
        require(now < self.disputed_at + ARBITRATION_SECONDS, Refusal::ArbitrationOver)?;
        require(total <= self.amount, Refusal::InvalidTotal)?;
        self.refund_total = self.refund_total.max(total);
        self.outcome = outcome::RESOLVED;
        Ok(())
    }

    /// The sender lets the recipient have the rest, and says what they keep: an agreement cannot lose its other half on the way.
    pub fn release(&mut self, total: u64) -> ProgramResult {
        self.require_open()?;
        require(total <= self.refund_total, Refusal::LessBound)?;
        self.outcome = outcome::RELEASED_BY_SENDER;
        Ok(())
    }

    /// The recipient gives back more: also of what is theirs by a decision, as long as it has not left.
    pub fn refund(&mut self, total: u64) -> ProgramResult {
        require(!self.is_finished() && self.amount_released == 0, Refusal::AlreadyPaidOut)?;
        require(total > self.refund_total && total <= self.amount, Refusal::InvalidTotal)?;
        self.refund_total = total;
        if total == self.amount {
            self.outcome = outcome::REFUNDED_BY_RECIPIENT;
        }
        Ok(())
    }

    /// Takes one side's part out of the record. At the deadline an undisputed payment is settled by it, 90 days after a
    /// dispute that nobody resolved all goes back.
    pub fn take_part(&mut self, side: Side, now: i64) -> Result<Part, ProgramError> {
        if self.is_finished() {
            let swept_to = if self.amount_released > 0 { Side::Recipient } else { Side::Sender };
            require(side == swept_to, Refusal::AlreadyPaidOut)?;
            return Ok(Part::Sweep);
        }
        let open = self.outcome == outcome::NONE;
        let disputed = self.status == status::DISPUTED;
        let amount = match side {
            Side::Recipient => {
                if open {
                    require(!disputed, Refusal::AlreadyDisputed)?;
                    require(now >= self.deadline, Refusal::ProtectionRunning)?;
                    self.outcome = outcome::SETTLED;
                }
                let due = self.amount - self.refund_total - self.amount_released;
                self.amount_released += due;
                self.settled_at = now;
                due
            }
            Side::Sender => {
                if open && disputed {
                    if now >= self.disputed_at + ARBITRATION_SECONDS {
                        self.refund_total = self.amount;
                        self.outcome = outcome::REFUNDED_UNRESOLVED;
                    } else {
                        require(self.refund_total > self.amount_refunded, Refusal::ArbitrationRunning)?;
                    }
                }
                let due = self.refund_total - self.amount_refunded;
                self.amount_refunded += due;
                self.refunded_at = now;
                due
            }
        };
        require(amount > 0, Refusal::NothingDue)?;
        let last = self.left() == 0;
        if last {
            self.status = if self.amount_released > 0 { status::RELEASED } else { status::REFUNDED };
        }
        Ok(Part::Due { amount, last })
    }

    /// From when on the record of a finished payment may be closed.
    pub fn retained_until(&self) -> i64 {
        self.settled_at.max(self.refunded_at) + RETENTION_SECONDS
    }
}
