<?php

// A time limit ends the request that enters the first refund of an order: WooCommerce has stored it by then, without its total.

add_action('woocommerce_create_refund', static function (WC_Order_Refund $refund, array $args): void {
    if ($args['reason'] === 'Refunded from the escrow.' && add_option("ended_{$refund->get_parent_id()}", 'yes')) {
        exit;
    }
}, 10, 2);
