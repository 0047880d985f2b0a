<?php

declare(strict_types=1);

namespace Holdfast;

/** The way of an order to the checkout, and back when the shop gives it up. */
final class Checkout
{
    private const TRIES_MAX = 4;
    private const RETRY_SECONDS = 60;
    private const GIVE_UP = 'holdfast_give_up';
    /** An intent is open for a day at most. Its goods are reserved for as long, or for the shop's own time if that is longer. */
    private const RESERVED_MINUTES = 1440;

    public static function register(): void
    {
        $ends = ['order_status_cancelled', 'before_trash_order', 'before_delete_order', 'order_status_processing', 'order_status_completed', 'payment_complete'];
        foreach ($ends as $hook) {
            add_action("woocommerce_$hook", self::giveUp(...));
        }
        add_action('woocommerce_order_status_on-hold', static function (int $id): void {
            $order = Orders::read($id);
            // A transfer is on its way for days, and a card may be charged later.
            if ($order?->get_payment_method() !== Gateway::ID || $order->get_transaction_id() !== '') {
                self::giveUp($id);
            }
        });
        // The list of orders that are posts has WordPress move them.
        add_action('wp_trash_post', self::giveUp(...));
        add_action('before_delete_post', self::giveUp(...));
        add_action(self::GIVE_UP, static function (int $id): void {
            // A person may have opened it again meanwhile.
            if (!Orders::read($id)?->needs_payment()) {
                self::giveUp($id);
            }
        });
        add_filter('woocommerce_cancel_unpaid_order', self::mayTimerCancel(...), 10, 2);
        add_filter('woocommerce_order_hold_stock_minutes', self::reservedMinutes(...), 10, 2);
    }

    /**
     * The checkout of an order: its open intent, or that of the next attempt.
     *
     * @return array{state: 'open', url: string}|array{state: 'paid'}
     */
    public static function open(int $id): array
    {
        return Store::inOrder($id, static function () use ($id): array {
            $order = Orders::read($id);
            if ($order === null || !$order->needs_payment()) {
                return ['state' => 'paid'];
            }
            $terms = Orders::terms($order);
            for ($tries = 0; $tries < self::TRIES_MAX; $tries++) {
                $attempt = Store::lastAttempt($id);
                $found = $attempt?->intent ? self::reuse($attempt->intent, $terms, $order) : null;
                if ($found !== null) {
                    return $found;
                }
                // An attempt without an answer was killed before it came: its number makes the same intent.
                $number = (int) $attempt?->number + ($attempt?->intent === null && $attempt !== null ? 0 : 1);
                if ($number !== (int) $attempt?->number) {
                    Store::addAttempt($id, $number);
                }
                self::create($id, $number, $terms);
            }
            throw new \RuntimeException('Holdfast gave no checkout for this order. Try again.');
        });
    }

    /**
     * Returns null if the next attempt is to be made: this one is over, or is canceled now since its terms are old.
     *
     * @param array<string, mixed> $terms
     * @return ?array{state: string, url?: string}
     */
    private static function reuse(string $id, array $terms, \WC_Order $order): ?array
    {
        $intent = Api::get("/payment-intents/$id");
        if (self::isPaid($intent)) {
            return ['state' => 'paid'];
        }
        $url = $intent['checkoutUrl'];
        if ($url === null) {
            return null;
        }
        if (Orders::hasTerms($intent, $terms, $order)) {
            return ['state' => 'open', 'url' => $url];
        }
        return self::cancel($id) ? null : ['state' => 'paid'];
    }

    /**
     * Stores the answer with the attempt. A refusal that the service keeps ends the attempt, so that the next one, maybe with
     * other settings, has a key of its own.
     *
     * @param array<string, mixed> $terms
     */
    private static function create(int $order, int $number, array $terms): void
    {
        try {
            $intent = Api::post('/payment-intents', $terms, "{$terms['merchantReference']}:$number")['id'];
        } catch (ApiError $error) {
            if (!$error->is('reference_in_use') && !$error->isStored()) {
                throw $error;
            }
            // Keys are kept for a day: after that, the open intent that has the order's reference is the one of an attempt.
            Store::endAttempt($order, $number, $error->details['intent'] ?? '');
            if ($error->is('invalid_request') || $error->is('not_found')) {
                throw $error;
            }
            return;
        }
        Store::endAttempt($order, $number, $intent);
    }

    /** Returns false if the intent is paid. */
    private static function cancel(string $id): bool
    {
        try {
            Api::post("/payment-intents/$id/cancel");
            return true;
        } catch (ApiError $error) {
            if (!$error->is('intent_not_cancelable')) {
                throw $error;
            }
            return !self::isPaid(Api::get("/payment-intents/$id"));
        }
    }

    /**
     * @param array<string, mixed> $intent
     */
    private static function isPaid(array $intent): bool
    {
        $payment = $intent['payment'];
        return $payment !== null && $payment['status'] !== 'refunded' && !Summary::isLate($payment);
    }

    /** Cancels what is open of an order that the shop gives up, or that was paid elsewhere. One that was paid here a moment before is put back. */
    public static function giveUp(int $id): void
    {
        if (!Store::isHome() || Store::lastAttempt($id) === null) {
            return;
        }
        // Null once it was deleted, where the first try failed: its intents are still to be canceled.
        $order = Orders::read($id);
        try {
            if ($order !== null && Orders::isEntered($order)) {
                if ($order->has_status('cancelled')) {
                    Progress::bringUpToDate($id, true);
                }
                return;
            }
            Store::inOrder($id, static function () use ($id): void {
                foreach (Store::attempts($id) as $attempt) {
                    $intent = $attempt->intent;
                    if ($intent && !self::cancel($intent)) {
                        // Else the two would go on for ever.
                        if (!Progress::$isSettingStatus) {
                            self::putBack($id);
                        }
                        return;
                    }
                }
            });
        } catch (\RuntimeException $error) {
            wc_get_logger()->warning("Order $id: its intent is canceled later. {$error->getMessage()}", ['source' => 'holdfast']);
            wp_schedule_single_event(time() + self::RETRY_SECONDS, self::GIVE_UP, [$id]);
        }
    }

    private static function putBack(int $id): void
    {
        $order = Orders::read($id);
        if ($order === null) {
            wc_get_logger()->error("Order $id was deleted, and is paid: refund its payment in Holdfast.", ['source' => 'holdfast']);
            return;
        }
        if ($order->has_status('cancelled')) {
            $order->update_status('pending', __('It was paid a moment before. Refund it instead.', 'holdfast-for-woocommerce'));
        }
        Progress::bringUpToDate($id, true);
    }

    /** The shop's timer cancels the intents of an order first. It leaves one that is paid, or may be at this moment, for its next run. */
    private static function mayTimerCancel(bool $may, \WC_Order $order): bool
    {
        if (!$may || $order->get_payment_method() !== Gateway::ID) {
            return $may;
        }
        if (!Store::isHome()) {
            return false;
        }
        $id = $order->get_id();
        try {
            return Store::inOrder($id, static function () use ($id): bool {
                // An attempt without an answer gave its buyer no link.
                $intents = array_filter(array_map(static fn(object $attempt): ?string => $attempt->intent, Store::attempts($id)));
                foreach ($intents as $intent) {
                    if (!self::end($intent)) {
                        return false;
                    }
                }
                // WooCommerce cancels what it read before this lock.
                $now = Orders::read($id);
                return $now !== null && $now->needs_payment() && $now->get_payment_method() === Gateway::ID;
            });
        } catch (\RuntimeException) {
            return false;
        }
    }

    /** Returns false if the intent is paid, a buyer may be paying it, or the service may not have seen that one did. */
    private static function end(string $id): bool
    {
        if (!Summary::isUpToDate(Api::get('/chain'))) {
            return false;
        }
        $intent = Api::get("/payment-intents/$id");
        if ($intent['checkoutUrl'] === null) {
            return !self::isPaid($intent);
        }
        return !Summary::isPaying(Api::state($intent['checkoutUrl'])) && self::cancel($id);
    }

    private static function reservedMinutes(int $minutes, \WC_Order $order): int
    {
        $isOurs = $minutes > 0 && $order->get_payment_method() === Gateway::ID;
        return $isOurs ? max($minutes, self::RESERVED_MINUTES) : $minutes;
    }
}
