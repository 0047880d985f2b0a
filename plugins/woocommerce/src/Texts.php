<?php

declare(strict_types=1);

namespace Holdfast;

/** The sentences of an order's page and notes. */
final class Texts
{
    public static function label(string $progress): string
    {
        return match ($progress) {
            'protected' => __('Protected', 'holdfast-for-woocommerce'),
            'disputed' => __('Disputed', 'holdfast-for-woocommerce'),
            'decided' => __('Decided', 'holdfast-for-woocommerce'),
            'released' => __('Released', 'holdfast-for-woocommerce'),
            'refunded' => __('Refunded', 'holdfast-for-woocommerce'),
            'reverted' => __('Taken back by the network', 'holdfast-for-woocommerce'),
            default => __('Not paid', 'holdfast-for-woocommerce'),
        };
    }

    /** @param ?array<string, mixed> $state the state that the order's page shows */
    public static function progress(?array $state): string
    {
        return match ($state['progress'] ?? 'open') {
            'protected' => $state['mayShip']
                ? __('The money is in the escrow. Ship the order.', 'holdfast-for-woocommerce')
                : __('The money is in the escrow. A part went back, or is not for this order: read the notes before you ship.', 'holdfast-for-woocommerce'),
            'disputed' => __('The buyer disputes the payment. Keep goods that are still there, and answer the dispute in Holdfast.', 'holdfast-for-woocommerce'),
            'decided' => __('The parts of both sides are decided, and are on their way.', 'holdfast-for-woocommerce'),
            'released' => __('The money is in your wallet.', 'holdfast-for-woocommerce'),
            'refunded' => __('All of it went back to the buyer.', 'holdfast-for-woocommerce'),
            'reverted' => __('The network took the payment back. It may come again: ship nothing.', 'holdfast-for-woocommerce'),
            default => __('No payment of this order is known.', 'holdfast-for-woocommerce'),
        };
    }

    public static function owed(string $reason): string
    {
        return match ($reason) {
            'late' => __('A payment came after the order\'s time. Refund it.', 'holdfast-for-woocommerce'),
            'duplicate' => __('A second payment of this order came. Refund it.', 'holdfast-for-woocommerce'),
            'over_limit' => __('A payment beyond the limit came. Refund it.', 'holdfast-for-woocommerce'),
            'canceled' => __('A payment came, and the order is canceled. Refund it.', 'holdfast-for-woocommerce'),
            'paid_elsewhere' => __('A payment came, and the order was paid in another way. Refund it.', 'holdfast-for-woocommerce'),
            default => __('A payment came, and the order\'s total is another one now. Refund it, or set the order to Processing.', 'holdfast-for-woocommerce'),
        };
    }

    public static function mismatch(): string
    {
        return __('Somebody paid on other terms than the order\'s. That does not pay the order; its sender takes it back.', 'holdfast-for-woocommerce');
    }

    public static function paymentLink(): string
    {
        return __('Payment, dispute and refund in Holdfast', 'holdfast-for-woocommerce');
    }

    /** For the buyer, at the page to which they come back. */
    public static function forBuyer(?string $paymentStatus): string
    {
        return match ($paymentStatus) {
            null => __('Your payment has not been seen yet. If you have paid, load this page again in a moment.', 'holdfast-for-woocommerce'),
            'protected' => __('Your payment is protected: it is in the escrow, and you can dispute it on its receipt.', 'holdfast-for-woocommerce'),
            'disputed' => __('You disputed this payment. It stays in the escrow until that is decided.', 'holdfast-for-woocommerce'),
            'refunded' => __('Your payment went back to your wallet.', 'holdfast-for-woocommerce'),
            default => __('Your payment was released to the shop.', 'holdfast-for-woocommerce'),
        };
    }
}
