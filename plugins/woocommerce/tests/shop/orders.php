<?php

// The plugin's orders in a real WordPress.

require __DIR__ . '/wp-load.php';

use Holdfast\Gateway;
use Holdfast\Orders;
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

/** What WooCommerce has of an order. */
function found(int $id): array
{
    $order = Orders::read($id) ?? wc_get_order($id);
    return [$order->get_payment_method(), $order->get_transaction_id(), $order->get_status()];
}

/** The event of a payment of an order is stored before it is entered. */
function pay(int $id, string $payment): bool
{
    Store::addEvent($id, ['id' => "evt_$payment$id", 'data' => ['object' => ['object' => 'payment', 'id' => $payment]]], true);
    return Orders::enter(Orders::read($id), $payment, null);
}

$change = static function (int $id, array $props): array {
    $order = wc_get_order($id);
    $order->set_props($props);
    $order->save();
    return found($id);
};

// An order's transaction is its payment, whatever staff type, until another payment takes its place.
$id = newOrder(Gateway::ID);
expect('A typed transaction', '', $change($id, ['transaction_id' => 'typed'])[1]);
expect('A payment', true, pay($id, 'PayA'));
expect('Its order', [Gateway::ID, 'PayA', 'completed'], found($id));
expect('A typed transaction over it', 'PayA', $change($id, ['transaction_id' => 'typed'])[1]);
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
// What an earlier plugin left.
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

foreach (wc_get_orders(['limit' => -1]) as $order) {
    $order->delete(true);
}
$wpdb->query("DELETE FROM {$wpdb->prefix}holdfast_events");
