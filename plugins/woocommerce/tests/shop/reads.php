<?php

// The plugin reads an order anew, as another process left it, also where WooCommerce keeps what it read of orders.

require __DIR__ . '/wp-load.php';
update_option('woocommerce_hpos_datastore_caching_enabled', 'yes');
$order = new WC_Order();
$order->set_payment_method(Holdfast\Gateway::ID);
$order->save();
$id = $order->get_id();
Holdfast\Orders::read($id);
$wpdb->update("{$wpdb->prefix}wc_orders", ['status' => 'wc-completed'], ['id' => $id]);
$wpdb->update($wpdb->posts, ['post_status' => 'wc-completed'], ['ID' => $id]);
$status = Holdfast\Orders::read($id)->get_status();
$order->delete(true);
delete_option('woocommerce_hpos_datastore_caching_enabled');
if ($status !== 'completed') {
    throw new Exception("An order was read as $status, and is completed.");
}
