<?php

declare(strict_types=1);

namespace Holdfast;

/** Orders that are paid here. */
final class Orders
{
    /** The states in which WooCommerce completes a payment. */
    private const UNPAID = ['pending', 'on-hold', 'failed', 'cancelled'];
    /** The states in which WooCommerce asks a buyer to pay. */
    public const ASKED = ['pending', 'failed'];
    /** Another way to pay has completed the order. */
    private const ELSEWHERE = '_holdfast_elsewhere';
    private static bool $isEntering = false;

    public static function register(): void
    {
        add_action('woocommerce_before_order_object_save', self::keepPayment(...));
        add_action('woocommerce_pre_payment_complete', self::markPaidElsewhere(...), 10, 2);
        add_filter('wp_insert_post_data', self::keepState(...), 10, 2);
    }

    /**
     * WordPress sets an order that is a post to the state that its page had when it was opened, unseen by WooCommerce, which
     * then sets the one that was chosen on it.
     *
     * @param array<string, mixed> $data
     * @param array<string, mixed> $page
     * @return array<string, mixed>
     */
    private static function keepState(array $data, array $page): array
    {
        $id = (int) ($page['ID'] ?? 0);
        if ($data['post_type'] === 'shop_order' && isset($page['order_status']) && Store::lastAttempt($id) !== null) {
            clean_post_cache($id);
            $data['post_status'] = get_post_status($id);
        }
        return $data;
    }

    /**
     * An order that is entered keeps its payment: a page of the staff that was opened before saves its empty fields over it, and
     * a second charge its own transaction. One that comes here from a card has no transaction: WooCommerce keeps that of the
     * card, which failed.
     */
    private static function keepPayment(\WC_Abstract_Order $order): void
    {
        $kept = array_flip(['payment_method', 'payment_method_title', 'transaction_id']);
        if (self::$isEntering || !$order instanceof \WC_Order || array_intersect_key($order->get_changes(), $kept) === []) {
            return;
        }
        $id = $order->get_id();
        // The caller may have read the order before its payment was entered.
        $stored = (($id === 0 ? null : self::read($id)) ?? $order)->get_base_data();
        $transaction = $order->get_transaction_id();
        if (self::isOwn($id, $stored['payment_method'], $stored['transaction_id'])) {
            if ($transaction !== '' && !self::isOwn($id, Gateway::ID, $transaction)) {
                /* translators: a transaction of another way to pay */
                self::noteOnce($id, sprintf(__('The transaction %s is not saved: the order is entered by its payment in Holdfast. If it is a second charge, refund one of them.', 'holdfast-for-woocommerce'), $transaction));
            }
            $order->set_props(array_intersect_key($stored, $kept));
        } elseif ($stored['payment_method'] !== Gateway::ID && $order->get_payment_method() === Gateway::ID && ($stored['date_paid'] ?? $order->get_date_paid()) === null) {
            $order->set_transaction_id('');
        }
    }

    /** Another way to pay completes an order, with a transaction or without. A person who chooses a state does not come by here. */
    private static function markPaidElsewhere(int $id, mixed $transaction = ''): void
    {
        $order = self::$isEntering ? null : self::read($id);
        if ($order === null) {
            return;
        }
        if (self::isEntered($order)) {
            /* translators: a transaction of another way to pay */
            self::noteOnce($id, sprintf(__('Another way to pay took this order\'s money too (transaction %s). The order is entered by its payment in Holdfast: refund one of them.', 'holdfast-for-woocommerce'), $transaction ?: '–'));
            return;
        }
        $order->update_meta_data(self::ELSEWHERE, '1');
        $order->save_meta_data();
    }

    /**
     * Enters a payment. An order that nobody paid yet is completed, into `$status` or else the usual state.
     *
     * @return bool false if WooCommerce logged an error
     */
    public static function enter(\WC_Order $order, string $payment, ?string $status): bool
    {
        $isEntered = self::isEntered($order);
        $isNew = !$isEntered && $order->has_status(self::UNPAID);
        [$method, $transaction] = [$order->get_payment_method(), $order->get_transaction_id()];
        if (!$isEntered && ($transaction !== '' || ($method !== Gateway::ID && $order->has_status('on-hold')))) {
            /* translators: 1: a way to pay, 2: its transaction */
            self::noteOnce($order->get_id(), sprintf(__('Entered by a payment in Holdfast, in place of %1$s (transaction %2$s). If money came or comes that way too, refund it.', 'holdfast-for-woocommerce'), $method, $transaction ?: '–'));
        }
        $choose = static fn(string $usual): string => $status ?? $usual;
        add_filter('woocommerce_payment_complete_order_status', $choose);
        self::$isEntering = true;
        try {
            $order->set_payment_method(Gateway::ID);
            if ($isNew) {
                return $order->payment_complete($payment);
            }
            $order->set_transaction_id($payment);
            return $order->save() > 0;
        } finally {
            self::$isEntering = false;
            remove_filter('woocommerce_payment_complete_order_status', $choose);
        }
    }

    /** The transaction of an order that was entered as paid is one of its payments: both are one write of WooCommerce. */
    public static function isEntered(\WC_Order $order): bool
    {
        return self::isOwn($order->get_id(), $order->get_payment_method(), $order->get_transaction_id());
    }

    private static function isOwn(int $id, string $method, string $transaction): bool
    {
        return $method === Gateway::ID && $transaction !== '' && Store::hasPayment($id, $transaction);
    }

    /** Neither entered as paid, nor paid in cash, of which a person made it Processing. */
    public static function isUnpaid(\WC_Order $order): bool
    {
        return $order->get_payment_method() === Gateway::ID && self::isOpen($order) && !self::isEntered($order);
    }

    private static function isOpen(\WC_Order $order): bool
    {
        return $order->get_date_paid() === null || $order->has_status(self::ASKED);
    }

    /**
     * The buyer went to the checkout here, and then paid by another way, which completed the order or left its transaction: the
     * method may still be this one, where the other way took its time. A person who makes an order Processing takes its payment
     * here.
     */
    public static function isPaidElsewhere(\WC_Order $order): bool
    {
        $isOther = $order->get_payment_method() !== Gateway::ID || $order->get_transaction_id() . $order->get_meta(self::ELSEWHERE) !== '';
        return $isOther && !self::isOpen($order) && !self::isEntered($order);
    }

    /** An order as the database has it now, from no cache. Null if there is none that was ever to be paid here. */
    public static function read(int $id): ?\WC_Order
    {
        clean_post_cache($id);
        $store = \WC_Data_Store::load('order');
        if ($store->has_callable('clear_cached_data')) {
            $store->clear_cached_data([$id]);
        }
        try {
            $order = new \WC_Order($id);
            $order->read_meta_data(true);
        } catch (\Exception) {
            return null;
        }
        return $order->get_payment_method() === Gateway::ID || Store::lastAttempt($id) !== null ? $order : null;
    }

    /** Sets a state again, without the email about it that the buyer had before. */
    public static function setBack(\WC_Order $order, string $status, string $note = ''): bool
    {
        $email = 'woocommerce_email_enabled_customer_' . str_replace('-', '_', $status) . '_order';
        add_filter($email, '__return_false');
        try {
            return $order->update_status($status, $note);
        } finally {
            remove_filter($email, '__return_false');
        }
    }

    /** Adds a note for the staff, unless the newest one says the same: a buyer may try often. */
    public static function noteOnce(int $id, string $note): void
    {
        $newest = wc_get_order_notes(['order_id' => $id, 'limit' => 1])[0]->content ?? null;
        if ($newest !== $note) {
            self::read($id)?->add_order_note($note);
        }
    }

    public static function total(\WC_Order $order): int
    {
        return Money::minor((string) $order->get_total(), $order->get_currency());
    }

    public static function refunded(\WC_Order $order): int
    {
        return Money::minor((string) $order->get_total_refunded(), $order->get_currency());
    }

    /**
     * The terms of an order's intent.
     *
     * @return array<string, mixed>
     */
    public static function terms(\WC_Order $order): array
    {
        $currency = $order->get_currency();
        if (!Settings::isTokensCurrency($currency)) {
            throw new \RuntimeException("One token is one unit of the shop's own currency, and the order is in $currency.");
        }
        return self::termsOf((string) $order->get_total(), $currency, $order->get_checkout_order_received_url()) + [
            'merchantReference' => Store::reference($order),
            'description' => 'Order ' . $order->get_order_number(),
            'metadata' => ['wooCommerceOrder' => (string) $order->get_order_number()],
        ];
    }

    /**
     * The terms that follow from the settings.
     *
     * @return array<string, mixed>
     */
    public static function termsOf(string $total, string $currency, string $returnUrl): array
    {
        $text = Money::text($total, $currency);
        $token = Settings::get('token');
        $money = Settings::get('amounts') === 'price'
            ? ['price' => ['currency' => $currency, 'amount' => $text]]
            : ['amount' => Money::units($text, self::decimalsOf($token))];
        $return = Settings::get('return') === 'yes' ? ['returnUrl' => $returnUrl] : [];
        $period = Settings::get('protection_period');
        return ['recipient' => Settings::get('recipient'), 'asset' => $token, 'protectionPeriod' => $period] + $money + $return;
    }

    /**
     * True if an open intent has the order's terms still.
     *
     * @param array<string, mixed> $intent
     * @param array<string, mixed> $terms
     */
    public static function hasTerms(array $intent, array $terms, \WC_Order $order): bool
    {
        return $intent['recipient'] === $terms['recipient']
            && $intent['asset'] === $terms['asset']
            && isset($intent['price']) === isset($terms['price'])
            && self::isPriceOf($intent, $order);
    }

    /**
     * True if an intent asks for what the order costs, whatever the settings say since then.
     *
     * @param array<string, mixed> $intent
     */
    public static function isPriceOf(array $intent, \WC_Order $order): bool
    {
        $text = Money::text((string) $order->get_total(), $order->get_currency());
        $price = $intent['price'] ?? null;
        return $price === null
            ? $order->get_currency() === get_option('woocommerce_currency')
                && $intent['amount'] === Money::units($text, self::decimalsOf($intent['asset']))
            : $price['currency'] === $order->get_currency() && $price['amount'] === $text;
    }

    public static function showAmount(string $units, string $asset): string
    {
        ['symbol' => $symbol, 'decimals' => $decimals] = Api::token($asset);
        return Money::show($units, $decimals, $symbol ?? $asset);
    }

    private static function decimalsOf(string $token): int
    {
        return Api::token($token)['decimals'];
    }
}
