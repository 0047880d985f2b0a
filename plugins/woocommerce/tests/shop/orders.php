<?php

// The plugin's orders in a real WordPress.

require __DIR__ . '/wp-load.php';

use Holdfast\Gateway;
use Holdfast\Orders;

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

// An order's transaction is its payment, whatever staff type, until another payment takes its place.
$order = new WC_Order();
$order->set_payment_method(Gateway::ID);
$order->save();
$id = $order->get_id();
$type = static function (array $props) use ($id): WC_Order {
    $order = Orders::read($id);
    $order->set_props($props);
    $order->save();
    return Orders::read($id);
};
expect('A typed transaction', '', $type(['transaction_id' => 'typed'])->get_transaction_id());
expect('A payment', true, Orders::enter(Orders::read($id), 'PayA', null));
expect('Its order', ['completed', 'PayA'], [Orders::read($id)->get_status(), Orders::read($id)->get_transaction_id()]);
expect('A typed transaction over it', 'PayA', $type(['transaction_id' => 'typed'])->get_transaction_id());
expect('An empty method over it', Gateway::ID, $type(['payment_method' => ''])->get_payment_method());
expect('A held order', 'on-hold', $type(['status' => 'on-hold'])->get_status());
expect('Its next payment', true, Orders::enter(Orders::read($id), 'PayB', null));
expect('Its order', ['on-hold', 'PayB'], [Orders::read($id)->get_status(), Orders::read($id)->get_transaction_id()]);
$order->delete(true);

// The same for an order of another way to pay, which is none of the plugin's.
$order = new WC_Order();
$order->set_payment_method(Gateway::ID);
$order->save();
$order->set_payment_method('bacs');
$order->set_transaction_id('theirs');
$order->save();
$order = wc_get_order($order->get_id());
expect('Another method', ['bacs', 'theirs'], [$order->get_payment_method(), $order->get_transaction_id()]);
$order->delete(true);
