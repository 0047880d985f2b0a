<?php

declare(strict_types=1);

namespace Holdfast;

/**
 * An order as the events of all its intents show it, in any order, with repeats: `summarizeOrder` of the SDK. Of several
 * payments in time, the first pays the order; the others are extras, as those of the role `duplicate` are.
 */
final class Summary
{
    private const BEHIND_SECONDS_MAX = 60;

    /**
     * @param string $progress open, protected, disputed, decided, released, refunded or reverted
     * @param ?array<string, mixed> $payment the payment that pays the order, as its newest event shows it
     * @param bool $isPaid enter the order as paid, once
     * @param bool $mayShip fulfil the order, unless that is done
     * @param list<array{payment: array<string, mixed>, reason: string, isOwed: bool}> $extras
     */
    private function __construct(
        public readonly string $progress,
        public readonly ?array $payment,
        public readonly bool $isPaid,
        public readonly bool $mayShip,
        public readonly array $extras,
    ) {
    }

    /**
     * @param list<array<string, mixed>> $events
     * @param ?string $entered the payment by which the order is entered: without one, a payment that all went back gives its
     *     place to another one in time
     */
    public static function of(array $events, string $environment, ?string $entered): self
    {
        [$newest, $inTime] = [[], []];
        foreach (self::inSequence($events, $environment) as $event) {
            $payment = self::paymentOf($event);
            if ($payment === null) {
                continue;
            }
            $id = $payment['id'];
            $newest[$id] = ['payment' => $payment, 'isGone' => $event['type'] === 'payment.reverted'];
            if ($event['type'] === 'payment_intent.paid' && $payment['role'] === 'primary') {
                $inTime[$id] = true;
            }
        }
        $isOwn = static fn(string $id): bool => !$newest[$id]['isGone'] && !$newest[$id]['payment']['overLimit'];
        $paying = array_values(array_filter(array_keys($inTime), $isOwn));
        $isKept = static fn(string $id): bool => $entered === null ? $newest[$id]['payment']['status'] !== 'refunded' : $id === $entered;
        $own = current(array_filter($paying, $isKept)) ?: $paying[0] ?? null;
        $extras = [];
        foreach ($newest as $id => ['payment' => $payment, 'isGone' => $isGone]) {
            $reason = $id === $own || $isGone ? null : self::reasonOf($payment, isset($inTime[$id]));
            if ($reason !== null) {
                $extras[] = ['payment' => $payment, 'reason' => $reason, 'isOwed' => $payment['status'] !== 'refunded'];
            }
        }
        if ($own === null) {
            $isReverted = array_filter(array_keys($inTime), static fn(string $id): bool => $newest[$id]['isGone']) !== [];
            return new self($isReverted ? 'reverted' : 'open', null, false, false, $extras);
        }
        $payment = $newest[$own]['payment'];
        $mayShip = self::isPaidFor($payment);
        $isPaid = $mayShip || $payment['status'] === 'released';
        return new self(self::progressOf($payment), $payment, $isPaid, $mayShip, $extras);
    }

    /**
     * @param list<array<string, mixed>> $events
     * @return list<array<string, mixed>>
     */
    private static function inSequence(array $events, string $environment): array
    {
        $isOwn = static fn(array $event): bool => ($event['environment'] ?? null) === $environment && isset($event['sequence']);
        $own = array_filter($events, $isOwn);
        usort($own, static fn(array $one, array $other): int => Digits::compare($one['sequence'], $other['sequence']));
        return $own;
    }

    /**
     * @param array<string, mixed> $event
     * @return ?array<string, mixed>
     */
    public static function paymentOf(array $event): ?array
    {
        $object = $event['data']['object'] ?? [];
        return match ($object['object'] ?? null) {
            'payment' => $object,
            'payment_intent' => $object['payment'] ?? null,
            default => null,
        };
    }

    /**
     * Nothing goes back to the buyer, or may. The payment may have been released meanwhile.
     *
     * @param array<string, mixed> $payment
     */
    public static function isPaidFor(array $payment): bool
    {
        return $payment['role'] === 'primary'
            && in_array($payment['status'], ['protected', 'released'], true)
            && $payment['disputedAt'] === null
            && $payment['refundTotal'] === '0'
            && !$payment['overLimit'];
    }

    /**
     * A primary payment of which no event says more may still be the order's.
     *
     * @param array<string, mixed> $payment
     * @param bool $isInTime it is a primary payment that another one forestalled
     */
    private static function reasonOf(array $payment, bool $isInTime): ?string
    {
        return match (true) {
            $payment['overLimit'] => 'over_limit',
            $payment['role'] === 'duplicate' || $isInTime => 'duplicate',
            self::isLate($payment) => 'late',
            default => null,
        };
    }

    /** @param array<string, mixed> $payment */
    public static function isLate(array $payment): bool
    {
        return !in_array($payment['lateReason'] ?? null, [null, 'found_after_expiry'], true);
    }

    /**
     * True if a buyer may be paying at a checkout: a transaction was made, and has neither landed nor ended.
     *
     * @param array<string, mixed> $state
     */
    public static function isPaying(array $state): bool
    {
        return ($state['inFlight']['kind'] ?? 'ended') !== 'ended';
    }

    /**
     * True if the service has read the chain up to a minute ago: older payments are known.
     *
     * @param array<string, mixed> $chain
     */
    public static function isUpToDate(array $chain): bool
    {
        return $chain['behindSeconds'] !== null && $chain['behindSeconds'] <= self::BEHIND_SECONDS_MAX;
    }

    /** @param array<string, mixed> $payment */
    private static function progressOf(array $payment): string
    {
        $isDecided = $payment['outcome'] !== null && in_array($payment['status'], ['protected', 'disputed'], true);
        return $isDecided ? 'decided' : $payment['status'];
    }
}
