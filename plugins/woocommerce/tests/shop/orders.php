<?php

// The plugin's orders in a real WordPress.

// The plugin keeps the business of a key, which the stand-in for the service makes up.
define('HOLDFAST_API_KEY', 'sk_test_of_orders');
require __DIR__ . '/wp-load.php';

use Holdfast\Checkout;
use Holdfast\Feed;
use Holdfast\Gateway;
use Holdfast\Orders;
use Holdfast\Progress;
use Holdfast\Store;

function expect(string $what, mixed $wanted, mixed $found): void
{
    if ($found !== $wanted) {
        throw new Exception("$what: " . json_encode($found) . ', not ' . json_encode($wanted));
    }
}

// The plugin reads an order anew, as another process left it, also where WooCommerce keeps what it read of orders.
update_option('woocommerce_hpos_datastore_caching_enabled', 'yes');
$order = new WC_Order();
$order->set_payment_method(Gateway::ID);
$order->save();
$id = $order->get_id();
Orders::read($id);
$wpdb->update("{$wpdb->prefix}wc_orders", ['status' => 'wc-completed'], ['id' => $id]);
$wpdb->update($wpdb->posts, ['post_status' => 'wc-completed'], ['ID' => $id]);
expect('An order that another process completed', 'completed', Orders::read($id)->get_status());
$order->delete(true);
delete_option('woocommerce_hpos_datastore_caching_enabled');

/** An order as a way to pay left it. */
function newOrder(string $method, string $transaction = ''): int
{
    $order = new WC_Order();
    $order->set_payment_method($method);
    $order->set_transaction_id($transaction);
    return $order->save();
}

/** The method, transaction and state of an order. */
function found(int $id): array
{
    $order = Orders::read($id) ?? wc_get_order($id);
    return [$order->get_payment_method(), $order->get_transaction_id(), $order->get_status()];
}

/** The event of a payment of an order is stored before it is entered. */
function pay(int $id, string $payment): bool
{
    Store::addEvent($id, ['id' => "evt_$payment$id", 'data' => ['object' => ['object' => 'payment', 'id' => $payment]]]);
    Store::markHandled(["evt_$payment$id"]);
    return Orders::enter(Orders::read($id), $payment, null);
}

function isNoted(int $id, string $text): bool
{
    return array_filter(wc_get_order_notes(['order_id' => $id]), static fn(object $note): bool => str_contains($note->content, $text)) !== [];
}

$change = static function (int $id, array $props): array {
    $order = wc_get_order($id);
    $order->set_props($props);
    $order->save();
    return found($id);
};

// A typed transaction enters no order. That of one that is entered is its payment, whatever staff type, until another takes its
// place.
$id = newOrder(Gateway::ID);
expect('A typed transaction', [Gateway::ID, 'typed', 'pending'], $change($id, ['transaction_id' => 'typed']));
expect('Its order is entered', false, Orders::isEntered(Orders::read($id)));
expect('A payment', true, pay($id, 'PayA'));
expect('Its order', [Gateway::ID, 'PayA', 'completed'], found($id));
expect('Its note', true, isNoted($id, 'in place of holdfast (transaction typed)'));
expect('A typed transaction over it', 'PayA', $change($id, ['transaction_id' => 'typed over it'])[1]);
expect('Its note', true, isNoted($id, 'The transaction typed over it is not saved'));
expect('An empty method over it', Gateway::ID, $change($id, ['payment_method' => ''])[0]);
expect('A held order', 'on-hold', $change($id, ['status' => 'on-hold'])[2]);
expect('Its next payment', true, pay($id, 'PayB'));
expect('Its order', [Gateway::ID, 'PayB', 'on-hold'], found($id));

// The same for an order of another way to pay, which is none of the plugin's.
$id = newOrder(Gateway::ID);
$theirs = ['payment_method' => 'bacs', 'transaction_id' => 'theirs'];
expect('Another method', ['bacs', 'theirs', 'pending'], $change($id, $theirs));
expect('Both in one save', [Gateway::ID, '', 'pending'], $change(newOrder('bacs'), ['payment_method' => Gateway::ID, 'transaction_id' => 'typed']));

// A card that failed leaves its transaction with the order. It is none of a payment here: nothing is shipped for it, and what is
// paid here then is entered.
$id = newOrder('card', 'pi_3DS');
$change($id, ['status' => 'failed']);
$change($id, ['payment_method' => Gateway::ID]);
expect('An order after a failed card', [Gateway::ID, '', 'pending'], $change($id, ['status' => 'pending']));
expect('Its payment', true, pay($id, 'PayA'));
expect('Its order', [Gateway::ID, 'PayA', 'completed'], found($id));
// A leftover of an earlier plugin.
$id = newOrder(Gateway::ID);
$wpdb->update("{$wpdb->prefix}wc_orders", ['transaction_id' => 'pi_3DS'], ['id' => $id]);
update_post_meta($id, '_transaction_id', 'pi_3DS');
expect('A leftover', false, Orders::isEntered(Orders::read($id)));
expect('A failed card over it', 'failed', $change($id, ['status' => 'failed'])[2]);
expect('The next try', 'pending', $change($id, ['status' => 'pending'])[2]);
expect('Its payment', true, pay($id, 'PayA'));
expect('Its order', [Gateway::ID, 'PayA', 'completed'], found($id));

// A card that is paid late, while the buyer is at the checkout here, is the order's payment: one here goes back.
$id = newOrder(Gateway::ID);
wc_get_order($id)->payment_complete('pi_late');
expect('An order with a late card', [Gateway::ID, 'pi_late', 'completed'], found($id));
expect('It is paid elsewhere', [true, false], [Orders::isPaidElsewhere(Orders::read($id)), Orders::isEntered(Orders::read($id))]);

// The same where it saves its transaction first, or names none at all. Whatever state staff choose, it keeps its transaction.
$id = newOrder(Gateway::ID);
$change($id, ['transaction_id' => 'CAPTURE']);
wc_get_order($id)->payment_complete();
expect('An order with a late PayPal', [Gateway::ID, 'CAPTURE', 'completed'], found($id));
expect('It is paid elsewhere', true, Orders::isPaidElsewhere(Orders::read($id)));
foreach (['pending', 'failed', 'processing'] as $status) {
    expect('Its state', [Gateway::ID, 'CAPTURE', $status], $change($id, ['status' => $status]));
}
$id = newOrder(Gateway::ID);
wc_get_order($id)->payment_complete();
expect('It is paid elsewhere', true, Orders::isPaidElsewhere(Orders::read($id)));
$id = newOrder(Gateway::ID);
$change($id, ['status' => 'processing']);
expect('What a person made Processing', false, Orders::isPaidElsewhere(Orders::read($id)));

// A second charge changes nothing of an entered order, and is noted.
$id = newOrder(Gateway::ID);
pay($id, 'PayA');
wc_get_order($id)->payment_complete('pi_second');
expect('An order with a second charge', [Gateway::ID, 'PayA', 'completed'], found($id));
expect('Its note', true, isNoted($id, 'money too (transaction pi_second)'));

/** Stands in for the service, as the plugin asks it. */
final class Service
{
    /** @var array<string, array<string, mixed>> */
    public static array $intents = [];
    /** Happens while the plugin waits for the next answer. */
    public static ?Closure $meanwhile = null;
    private static int $sequence = 0;

    public static function answer(mixed $none, array $call, string $url): array
    {
        [$meanwhile, self::$meanwhile] = [self::$meanwhile, null];
        $meanwhile && $meanwhile();
        [, $kind, $id, $verb] = explode('/', explode('/api/v1', $url)[1]) + [2 => '', ''];
        $answer = match ($kind) {
            'me' => ['id' => 'bus_1'],
            'payment-intents' => self::$intents[$id],
            'payments' => self::payment($id),
        };
        if ($verb === 'cancel' && $answer['payment'] === null) {
            self::$intents[$id]['checkoutUrl'] = null;
        }
        $code = $verb === 'cancel' && $answer['payment'] !== null ? 'intent_not_cancelable' : ($answer === null ? 'not_found' : null);
        $body = $code === null ? $answer : ['error' => ['code' => $code, 'message' => '']];
        return ['response' => ['code' => $code === null ? 200 : 409], 'body' => wp_json_encode($body), 'headers' => [], 'cookies' => []];
    }

    private static function payment(string $id): ?array
    {
        $payments = array_filter(array_column(self::$intents, 'payment'), static fn(?array $payment): bool => $payment !== null && $payment['id'] === $id);
        return current($payments) ?: null;
    }

    /** An order of a total, with an attempt to pay it. */
    public static function order(string $intent, string $total): int
    {
        $order = new WC_Order();
        $order->set_payment_method(Gateway::ID);
        $order->set_total($total);
        self::attempt($order->save(), $intent, $total);
        return $order->get_id();
    }

    public static function attempt(int $id, string $intent, string $total): void
    {
        $number = (int) Store::lastAttempt($id)?->number + 1;
        Store::addAttempt($id, $number);
        Store::endAttempt($id, $number, $intent);
        $price = ['currency' => 'USD', 'amount' => $total];
        self::$intents[$intent] = ['id' => $intent, 'asset' => 'T', 'price' => $price, 'payment' => null, 'checkoutUrl' => "https://$intent"];
    }

    /** The chain has a payment of an intent, or a change of it. */
    public static function change(string $intent, string $payment, array $change = []): array
    {
        return self::$intents[$intent]['payment'] = $change + [
            ...['object' => 'payment', 'id' => $payment, 'intent' => $intent, 'role' => 'primary', 'status' => 'protected'],
            ...['amount' => '1000', 'refundTotal' => '0', 'disputedAt' => null, 'outcome' => null, 'overLimit' => false],
            ...['lateReason' => null, 'protectionDeadline' => '2026-12-01T00:00:00Z', 'receiptUrl' => null],
        ];
    }

    /** The event of it, and the plugin's work on its order. */
    public static function tell(int $id, string $type, array $payment): array
    {
        $sequence = (string) ++self::$sequence;
        $object = $type === 'payment_intent.paid' ? ['object' => 'payment_intent', 'payment' => $payment] : $payment;
        Store::addEvent($id, ['id' => "evt_$sequence", 'type' => $type, 'environment' => 'test', 'sequence' => $sequence, 'data' => ['object' => $object]]);
        Progress::bringUpToDate($id);
        return found($id);
    }

    /** A buyer pays, and the shop hears of it. */
    public static function paid(int $id, string $intent, string $payment): array
    {
        return self::tell($id, 'payment_intent.paid', self::change($intent, $payment));
    }

    /** The recipient refunds all of it, and the shop hears of it. */
    public static function refunded(int $id, string $intent, string $payment): array
    {
        return self::tell($id, 'payment.refunded', self::change($intent, $payment, ['status' => 'refunded', 'refundTotal' => '1000']));
    }
}

function owed(int $id): array
{
    $owed = Progress::shown(Orders::read($id))['owed'] ?? [];
    return array_column($owed, 'reason', 'payment');
}

const STAND_IN = [Service::class, 'answer'];
add_filter('pre_http_request', STAND_IN, 10, 3);

// A payment of an old total goes back, and the buyer pays the right one: before it went back, or after.
$id = Service::order('early', '12.00');
Service::$intents['early']['price']['amount'] = '10.00';
expect('A payment of an old total', [Gateway::ID, '', 'pending'], Service::paid($id, 'early', 'PayEarly'));
expect('It is owed', ['PayEarly' => 'other_total'], owed($id));
expect('After its refund', [Gateway::ID, '', 'pending'], Service::refunded($id, 'early', 'PayEarly'));
expect('It is owed', [], owed($id));
Service::attempt($id, 'right', '12.00');
expect('The right total', [Gateway::ID, 'PayRight', 'completed'], Service::paid($id, 'right', 'PayRight'));
$id = Service::order('first', '12.00');
Service::$intents['first']['price']['amount'] = '10.00';
Service::attempt($id, 'second', '12.00');
Service::paid($id, 'first', 'PayFirst');
expect('Both are paid', [Gateway::ID, '', 'pending'], Service::paid($id, 'second', 'PaySecond'));
expect('The first goes back', [Gateway::ID, 'PaySecond', 'completed'], Service::refunded($id, 'first', 'PayFirst'));

// If one of the right total went back before the shop entered it, nothing was sold. The next one pays the order all the same.
$id = Service::order('unsold', '12.00');
$payment = Service::change('unsold', 'PayUnsold', ['status' => 'refunded', 'refundTotal' => '1000']);
Service::attempt($id, 'idle', '12.00');
expect('An unsold order', [Gateway::ID, '', 'cancelled'], Service::tell($id, 'payment_intent.paid', $payment));
expect('Its open checkout', null, Service::$intents['idle']['checkoutUrl']);
$change($id, ['status' => 'pending']);
Service::attempt($id, 'open', '12.00');
// The buyer has paid anew, and the shop has not heard of that.
Service::change('open', 'PayAnew');
expect('An unsold order', [Gateway::ID, '', 'cancelled'], Service::refunded($id, 'unsold', 'PayUnsold'));
expect('Its next payment', [Gateway::ID, 'PayAnew', 'completed'], Service::paid($id, 'open', 'PayAnew'));

// Another way takes an order On hold for days, or into a state of its own: the checkout here is closed.
$id = Service::order('sepa', '12.00');
expect('A transfer', 'on-hold', $change($id, ['payment_method' => 'sepa', 'transaction_id' => 'py_1', 'status' => 'on-hold'])[2]);
expect('Its checkout', null, Service::$intents['sepa']['checkoutUrl']);
$id = Service::order('capture', '12.00');
expect('A card that is charged later', 'on-hold', $change($id, ['transaction_id' => 'pi_1', 'status' => 'on-hold'])[2]);
expect('Its checkout', null, Service::$intents['capture']['checkoutUrl']);
$id = Service::order('held', '12.00');
expect('A person holds an order', 'on-hold', $change($id, ['status' => 'on-hold'])[2]);
expect('Its checkout', 'https://held', Service::$intents['held']['checkoutUrl']);
$id = Service::order('custom', '12.00');
$custom = static fn(): string => 'on-hold';
add_filter('woocommerce_payment_complete_order_status', $custom);
wc_get_order($id)->payment_complete();
remove_filter('woocommerce_payment_complete_order_status', $custom);
expect('Its checkout', null, Service::$intents['custom']['checkoutUrl']);
// A payment here that was faster has the order, with a note of the other way.
$id = Service::order('faster', '12.00');
$payment = Service::change('faster', 'PayFaster');
expect('A transfer', 'on-hold', $change($id, ['payment_method' => 'sepa', 'transaction_id' => 'py_1', 'status' => 'on-hold'])[2]);
expect('Both', [Gateway::ID, 'PayFaster', 'completed'], Service::tell($id, 'payment_intent.paid', $payment));
expect('Its note', true, isNoted($id, 'in place of sepa (transaction py_1)'));

// A card completes, or the total is raised, while the plugin waits for an answer.
$id = Service::order('card', '12.00');
Service::$meanwhile = static fn() => wc_get_order($id)->payment_complete('pi_card');
expect('A card meanwhile', [Gateway::ID, 'pi_card', 'completed'], Service::paid($id, 'card', 'PayCard'));
expect('The payment is owed', ['PayCard' => 'paid_elsewhere'], owed($id));
$id = Service::order('raised', '12.00');
Service::$meanwhile = static fn() => $change($id, ['total' => '50.00']);
expect('Another total meanwhile', [Gateway::ID, '', 'pending'], Service::paid($id, 'raised', 'PayRaised'));
expect('The payment is owed', ['PayRaised' => 'other_total'], owed($id));

// A request of a card has read the order before it was paid here, and says after it that the card failed, or that it did not.
$id = Service::order('stale', '12.00');
wc_get_order($id)->add_product(wc_get_products(['limit' => 1])[0]);
$stale = array_map('wc_get_order', [$id, $id, $id]);
expect('Its payment', [Gateway::ID, 'PayStale', 'processing'], Service::paid($id, 'stale', 'PayStale'));
$stale[0]->update_status('failed');
expect('A card that failed', [Gateway::ID, 'PayStale', 'processing'], found($id));
$change($id, ['status' => 'completed']);
$stale[1]->update_status('failed');
expect('One that failed after the order was shipped', [Gateway::ID, 'PayStale', 'completed'], found($id));
$stale[2]->payment_complete('pi_stale');
expect('A card that did not', [Gateway::ID, 'PayStale'], array_slice(found($id), 0, 2));
expect('Its note', true, isNoted($id, 'money too (transaction pi_stale)'));

// The service knows more than the event: a dispute is on its way. That is no other total.
$id = Service::order('disputed', '12.00');
$payment = Service::change('disputed', 'PayDisputed');
Service::change('disputed', 'PayDisputed', ['status' => 'disputed', 'disputedAt' => '2026-11-30T00:00:00Z']);
expect('A dispute is on its way', [Gateway::ID, '', 'pending'], Service::tell($id, 'payment_intent.paid', $payment));
expect('It is owed', [], owed($id));

// However many events an order has, it stays entered.
$id = Service::order('many', '12.00');
for ($number = 0; $number < 1000; $number++) {
    $event = ['id' => sprintf('evt_!%04d', $number), 'type' => 'payment_intent.expired', 'data' => ['object' => ['object' => 'payment_intent', 'payment' => null]]];
    $event['data']['object']['merchantReference'] = Store::reference(wc_get_order($id));
    expect('An event without work', null, Feed::store($event));
}
expect('How many are stored', 0, count(Store::events($id)));
$addMany = static function () use ($id): void {
    for ($number = 0; $number <= 1000; $number++) {
        Store::addEvent($id, ['id' => sprintf('evt_!%s%04d', uniqid(), $number), 'type' => 'payment_intent.payment_mismatch']);
    }
};
$addMany();
$wpdb->query("UPDATE {$wpdb->prefix}holdfast_events SET is_handled = 1");
expect('A payment', [Gateway::ID, 'PayMany', 'completed'], Service::paid($id, 'many', 'PayMany'));
expect('Its order is entered', true, Orders::isEntered(Orders::read($id)));
Service::tell($id, 'payment.disputed', Service::change('many', 'PayMany', ['status' => 'disputed', 'disputedAt' => '2026-11-30T00:00:00Z']));
expect('It shows', 'disputed', Progress::shown(Orders::read($id))['progress']);
$addMany();
try {
    Progress::bringUpToDate($id, true);
    expect('A part of the events', 'refused', 'taken');
} catch (RuntimeException $error) {
    expect('A part of the events', "Order $id has too many events.", $error->getMessage());
}

// An order that is split from a paid one has its transaction and its state. Nobody enters a refund of it by hand, as one may of
// a card.
$id = Service::order('split', '12.00');
Service::paid($id, 'split', 'PaySplit');
expect('The paid order shows', 'protected', Progress::shown(Orders::read($id))['progress']);
foreach (['PaySplit' => true, 'pi_card' => false] as $transaction => $isPayment) {
    $copy = newOrder(Gateway::ID);
    $change($copy, ['total' => '12.00', 'transaction_id' => $transaction, 'status' => 'completed', 'date_paid' => time()]);
    $order = wc_get_order($copy);
    $order->update_meta_data(Progress::META, Progress::shown(Orders::read($id)));
    $order->save();
    expect('A copy shows', null, Progress::shown(Orders::read($copy)));
    $refund = wc_create_refund(['order_id' => $copy, 'amount' => '12.00']);
    expect('Its refund is refused', $isPayment, is_wp_error($refund) && str_contains($refund->get_error_message(), 'is a payment in Holdfast'));
}

remove_filter('pre_http_request', STAND_IN);
$wpdb->query("DELETE FROM {$wpdb->prefix}holdfast_attempts");
foreach (wc_get_orders(['limit' => -1]) as $order) {
    $order->delete(true);
}
$wpdb->query("DELETE FROM {$wpdb->prefix}holdfast_events");
