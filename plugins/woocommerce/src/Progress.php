<?php

declare(strict_types=1);

namespace Holdfast;

/** Brings orders to the state that their stored events say. Nothing changes if they are there, so it may run at any time. */
final class Progress
{
    /** The state that the order's page shows, as JSON. */
    public const META = '_holdfast';
    /** The plugin holds the order: it may let it go. */
    private const HELD = '_holdfast_held';
    private const STEPS_MAX = 10;
    /** The hooks of a state run that the plugin set itself. */
    public static bool $isSettingStatus = false;

    /** @param bool $isChanged a person has changed the order, so that what it shows is to be drawn anew */
    public static function bringUpToDate(int $id, bool $isChanged = false): void
    {
        Store::inOrder($id, static function () use ($id, $isChanged): void {
            $rows = Store::events($id);
            $waiting = array_filter($rows, static fn(object $row): bool => $row->is_handled === '0');
            if ($waiting === [] && !$isChanged) {
                return;
            }
            $events = array_map(static fn(object $row): array => json_decode($row->body, true), $rows);
            for ($steps = 0; $steps < self::STEPS_MAX; $steps++) {
                $order = Orders::read($id);
                if ($order === null || !self::takeStep($order, $events)) {
                    self::noteMismatches($order, $waiting);
                    Store::markHandled(array_values(array_map(static fn(object $row): string => $row->id, $waiting)));
                    return;
                }
            }
            throw new \RuntimeException("Order $id does not come to rest.");
        });
    }

    /**
     * Makes the first change that is missing, or returns false. Whoever was killed in between goes on by the same steps.
     *
     * @param list<array<string, mixed>> $events
     */
    private static function takeStep(\WC_Order $order, array $events): bool
    {
        $summary = Summary::of($events, Settings::environment(), Orders::isEntered($order) ? $order->get_transaction_id() : null);
        [$isHere, $isOtherTotal] = [!Orders::isPaidElsewhere($order), false];
        return ($isHere && self::enter($order, $summary, $isOtherTotal))
            || ($isHere && self::enterRefund($order, $summary))
            || ($isHere && self::cancelUnsold($order, $summary))
            || ($isHere && self::hold($order, $summary))
            || ($isHere && self::letGo($order, $summary))
            || self::show($order, $summary, $isOtherTotal);
    }

    /**
     * The intent of a payment, and the order as it is after that answer, which may take seconds. Null if the order was paid
     * elsewhere meanwhile, or deleted: the next step sees that.
     *
     * @return ?array{array<string, mixed>, \WC_Order}
     */
    private static function ask(\WC_Order $order, Summary $summary): ?array
    {
        $intent = Api::get("/payment-intents/{$summary->payment['intent']}");
        if (!isset($intent['price'])) {
            // Kept for a day: nothing is asked after the order was read.
            Api::token($intent['asset']);
        }
        $now = Orders::read($order->get_id());
        return $now === null || Orders::isPaidElsewhere($now) ? null : [$intent, $now];
    }

    /**
     * Enters an order as paid, if the intent says so at this moment, and asks for what the order costs. A payment that came
     * after the network took another one back takes its place.
     */
    private static function enter(\WC_Order $order, Summary $summary, bool &$isOtherTotal): bool
    {
        if (!$summary->isPaid || self::isEnteredBy($order, $summary)) {
            return false;
        }
        $answer = self::ask($order, $summary);
        if ($answer === null) {
            return true;
        }
        [$intent, $order] = $answer;
        [$id, $now] = [$summary->payment['id'], $intent['payment']];
        // A newer event is on its way, and brings the order up to date.
        if ($now === null || $now['id'] !== $id || !in_array($now['status'], ['protected', 'released'], true)) {
            return false;
        }
        if ($now['status'] === 'protected' && $now['refundTotal'] !== '0') {
            return false;
        }
        // A person who sets an order of another total to Processing takes the payment for it.
        $isOtherTotal = !Orders::isPriceOf($intent, $order) && !$order->is_paid();
        if ($isOtherTotal) {
            return false;
        }
        return self::done(Orders::enter($order, $id, self::isForPerson($summary) ? 'on-hold' : null), $order);
    }

    /** After the network took a payment back, the order is entered by that one until another takes its place. */
    private static function isEnteredBy(\WC_Order $order, Summary $summary): bool
    {
        return Orders::isEntered($order) && $order->get_transaction_id() === ($summary->payment['id'] ?? null);
    }

    /** WooCommerce logs its own errors, and returns false. */
    private static function done(bool $isDone, \WC_Order $order): bool
    {
        return $isDone ?: throw new \RuntimeException("WooCommerce did not save order {$order->get_id()}.");
    }

    private static function setStatus(\WC_Order $order, string $status, string $note = ''): bool
    {
        self::$isSettingStatus = true;
        try {
            return self::done($order->update_status($status, $note), $order);
        } finally {
            self::$isSettingStatus = false;
        }
    }

    private static function enterRefund(\WC_Order $order, Summary $summary): bool
    {
        if (!self::isEnteredBy($order, $summary)) {
            return false;
        }
        if (Refunds::removeUnfinished($order)) {
            return true;
        }
        $total = Orders::total($order);
        $wanted = Money::share($summary->payment['refundTotal'], $summary->payment['amount'], $total);
        $missing = $wanted - Orders::refunded($order);
        if ($missing > 0) {
            // A shop may count in smaller parts than its currency has: of the whole, what is left goes back.
            $isRest = $wanted === $total;
            Refunds::enter($order, $isRest ? (string) $order->get_remaining_refund_amount() : Money::major($missing, $order->get_currency()));
            return true;
        }
        $isWhole = $wanted === $total && $total > 0;
        return $isWhole && !$order->has_status('refunded') && self::setStatus($order, 'refunded');
    }

    /** It went back before the shop entered it: nothing was sold. After one of an old total, the buyer may pay the right one. */
    private static function cancelUnsold(\WC_Order $order, Summary $summary): bool
    {
        if ($summary->progress !== 'refunded' || Orders::isEntered($order) || $order->has_status('cancelled')) {
            return false;
        }
        $answer = self::ask($order, $summary);
        if ($answer === null) {
            return true;
        }
        [$intent, $order] = $answer;
        return Orders::isPriceOf($intent, $order) && self::setStatus($order, 'cancelled', Texts::progress(['progress' => 'refunded']));
    }

    private static function isHeld(\WC_Order $order, Summary $summary): bool
    {
        // A part went back before the order was entered.
        if ($summary->progress === 'protected' && !$summary->mayShip && !Orders::isEntered($order)) {
            return $order->has_status(['pending', 'on-hold']);
        }
        $isDisputed = in_array($summary->progress, ['disputed', 'decided'], true) && $summary->payment['disputedAt'] !== null;
        return $isDisputed || $summary->progress === 'reverted';
    }

    /** Goods that are still there stay. Those of a completed order have left. */
    private static function hold(\WC_Order $order, Summary $summary): bool
    {
        if (!self::isHeld($order, $summary) || !$order->has_status(['pending', 'processing'])) {
            return false;
        }
        $order->update_meta_data(self::HELD, '1');
        return self::setStatus($order, 'on-hold');
    }

    /** Goods of which a part went back before they were sold, or in a dispute, are for a person to decide. */
    private static function isForPerson(Summary $summary): bool
    {
        return $summary->payment !== null && $summary->payment['refundTotal'] !== '0' && $summary->progress !== 'refunded';
    }

    private static function letGo(\WC_Order $order, Summary $summary): bool
    {
        $isOfOther = Orders::isEntered($order) && !self::isEnteredBy($order, $summary);
        if ($order->get_meta(self::HELD) === '' || $isOfOther || self::isHeld($order, $summary) || self::isForPerson($summary)) {
            return false;
        }
        $order->delete_meta_data(self::HELD);
        if (!$order->has_status('on-hold')) {
            return self::done($order->save() > 0, $order);
        }
        if (!Orders::isEntered($order)) {
            return self::setStatus($order, 'pending');
        }
        return self::done(Orders::setBack($order, 'processing'), $order);
    }

    private static function show(\WC_Order $order, Summary $summary, bool $isOtherTotal): bool
    {
        $before = self::shown($order);
        $after = self::draw($order, $summary, $isOtherTotal);
        if ($before === $after) {
            return false;
        }
        $notes = [];
        if ($after['progress'] !== ($before['progress'] ?? 'open')) {
            $notes[] = Texts::progress($after) . self::link($after['payment']);
        }
        foreach ($after['owed'] as $owed) {
            if (!in_array($owed, $before['owed'] ?? [], true)) {
                $notes[] = Texts::owed($owed['reason']) . self::link($owed['payment']);
            }
        }
        $order->update_meta_data(self::META, $after);
        self::done($order->save() > 0, $order);
        foreach ($notes as $note) {
            $order->add_order_note("Holdfast: $note");
        }
        return true;
    }

    /** @return ?array<string, mixed> the state that an order's page shows; null before its first event, and in a copy of an order */
    public static function shown(\WC_Order $order): ?array
    {
        $state = $order->get_meta(self::META) ?: null;
        foreach (array_filter([$state['payment'] ?? null, ...array_column($state['owed'] ?? [], 'payment')]) as $payment) {
            if (!Store::hasPayment($order->get_id(), $payment)) {
                return null;
            }
        }
        return $state;
    }

    /** @return array<string, mixed> */
    private static function draw(\WC_Order $order, Summary $summary, bool $isOtherTotal): array
    {
        $payment = $summary->payment;
        $owed = [];
        foreach ($summary->extras as $extra) {
            if ($extra['isOwed']) {
                $owed[] = ['payment' => $extra['payment']['id'], 'reason' => $extra['reason']];
            }
        }
        $isEntered = self::isEnteredBy($order, $summary);
        $reason = match (true) {
            $payment === null || $summary->progress === 'refunded' => null,
            $order->has_status('cancelled') => 'canceled',
            Orders::isPaidElsewhere($order) => 'paid_elsewhere',
            $isOtherTotal => 'other_total',
            default => null,
        };
        if ($reason !== null) {
            $owed[] = ['payment' => $payment['id'], 'reason' => $reason];
        }
        return [
            'progress' => $summary->progress,
            'mayShip' => $summary->mayShip && $isEntered && !$order->has_status('cancelled'),
            'payment' => $payment['id'] ?? null,
            'protectedUntil' => $summary->progress === 'protected' ? $payment['protectionDeadline'] : null,
            'receiptUrl' => $payment['receiptUrl'] ?? null,
            'refundTotal' => $payment['refundTotal'] ?? '0',
            'owed' => $owed,
        ];
    }

    /** @param array<object{body: string}> $waiting */
    private static function noteMismatches(?\WC_Order $order, array $waiting): void
    {
        foreach ($waiting as $row) {
            if ($order !== null && json_decode($row->body, true)['type'] === 'payment_intent.payment_mismatch') {
                $order->add_order_note('Holdfast: ' . Texts::mismatch());
            }
        }
    }

    private static function link(?string $payment): string
    {
        return $payment === null ? '' : sprintf(' <a href="%s">%s</a>', esc_url(Api::paymentPage($payment)), Texts::paymentLink());
    }
}
