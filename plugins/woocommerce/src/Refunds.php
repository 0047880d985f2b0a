<?php

declare(strict_types=1);

namespace Holdfast;

/** Only the recipient's wallet refunds. WooCommerce's books follow the chain, and never the other way round. */
final class Refunds
{
    private static bool $isEntering = false;

    public static function register(): void
    {
        add_action('woocommerce_create_refund', self::refuse(...));
        add_action('woocommerce_order_status_changed', self::keepStatus(...), 10, 4);
    }

    /** Enters what went back on chain. */
    public static function enter(\WC_Order $order, string $amount): void
    {
        self::$isEntering = true;
        try {
            $refund = wc_create_refund([
                'order_id' => $order->get_id(),
                'amount' => $amount,
                'reason' => __('Refunded from the escrow.', 'holdfast-for-woocommerce'),
                'refund_payment' => false,
                'restock_items' => false,
            ]);
        } finally {
            self::$isEntering = false;
        }
        if (is_wp_error($refund)) {
            throw new \RuntimeException("WooCommerce did not enter a refund of $amount: {$refund->get_error_message()}");
        }
    }

    /** WooCommerce stores a refund before its total. A request that ended in between left one that is none, with an amount. */
    public static function removeUnfinished(\WC_Order $order): bool
    {
        $isUnfinished = static fn(\WC_Order_Refund $refund): bool => (float) $refund->get_total() === 0.0 && (float) $refund->get_amount() > 0;
        $unfinished = array_filter($order->get_refunds(), $isUnfinished);
        foreach ($unfinished as $refund) {
            $refund->delete(true);
        }
        if ($unfinished !== []) {
            wc_delete_shop_order_transients($order);
        }
        return $unfinished !== [];
    }

    /**
     * Both refund buttons come by here before anything is stored. A refund that is entered by hand would say that money went
     * back which did not. The answer has the total that waits for the wallet, and where it is signed.
     */
    private static function refuse(\WC_Order_Refund $refund): void
    {
        $order = Orders::read($refund->get_parent_id());
        if ($order === null || self::$isEntering) {
            return;
        }
        if (!Orders::isEntered($order)) {
            if (Orders::isUnpaid($order)) {
                throw new \Exception(__('This order is not entered as paid. Money that came for it is refunded in Holdfast.', 'holdfast-for-woocommerce'));
            }
            self::refuseCopy($order);
            return;
        }
        $id = $order->get_transaction_id();
        ['amount' => $amount, 'asset' => $asset] = Api::get("/payments/$id");
        $currency = $order->get_currency();
        $wanted = Money::minor((string) $refund->get_amount(), $currency);
        // WooCommerce has stored this one already, and may have left others unfinished, without their total.
        foreach ($order->get_refunds() as $other) {
            $wanted -= $other->get_id() === $refund->get_id() ? 0 : Money::minor((string) $other->get_total(), $currency);
        }
        throw new \Exception(sprintf(
            /* translators: 1: an amount of a token, 2: an address */
            __('This refund waits for the signature of the recipient\'s wallet: refund a total of %1$s at %2$s. The order shows it once it has landed.', 'holdfast-for-woocommerce'),
            Orders::showAmount(Money::tokens($wanted, $amount, Orders::total($order)), $asset),
            Api::paymentPage($id),
        ));
    }

    /** An order that a plugin split from another, or of another database, has the transaction without its events. */
    private static function refuseCopy(\WC_Order $order): void
    {
        $id = $order->get_transaction_id();
        if ($order->get_payment_method() !== Gateway::ID || $id === '') {
            return;
        }
        try {
            Api::get('/payments/' . rawurlencode($id));
        } catch (ApiError $error) {
            // The transaction of a card.
            if ($error->is('not_found') || $error->is('invalid_request')) {
                return;
            }
            throw $error;
        }
        /* translators: an address */
        throw new \Exception(sprintf(__('The transaction of this order is a payment in Holdfast, of which the order that it paid enters refunds: see %s.', 'holdfast-for-woocommerce'), Api::paymentPage($id)));
    }

    /**
     * The state Refunded is that of an order of which all went back, and of no other. An order that is entered as paid is never
     * unpaid again. A page that was opened before either saves its own state over it, and so does a card that failed.
     */
    private static function keepStatus(int $id, string $from, string $to, \WC_Order $changed): void
    {
        if (self::$isEntering) {
            return;
        }
        // The caller may have read the order before its payment was entered.
        $order = Orders::read($id) ?? $changed;
        $isEntered = Orders::isEntered($order);
        if (!$isEntered && !Orders::isUnpaid($order)) {
            return;
        }
        $isWhole = $isEntered && Orders::refunded($order) >= Orders::total($order);
        $isUndone = $isEntered && !$isWhole && in_array($to, Orders::ASKED, true);
        if (!$isWhole && $to === 'refunded') {
            Orders::setBack($order, $from, __('Only the recipient\'s wallet refunds: see the box "Buyer protection".', 'holdfast-for-woocommerce'));
        } elseif ($isUndone) {
            $isOpen = in_array($from, [...Orders::ASKED, 'cancelled'], true);
            $paid = $order->get_date_completed() === null ? 'processing' : 'completed';
            Orders::setBack($order, $isOpen ? $paid : $from, __('The state of a paid order follows its payment: see the box "Buyer protection".', 'holdfast-for-woocommerce'));
        }
        if ($isUndone || ($isEntered && ($from === 'cancelled' || ($isWhole && $to !== 'refunded')))) {
            Progress::bringUpToDate($id, true);
        }
    }
}
