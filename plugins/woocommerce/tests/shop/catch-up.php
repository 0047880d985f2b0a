<?php

// What a minute's cron of the shop does for the plugin, and the shop's own timer, which gives unpaid orders up.

require __DIR__ . '/wp-load.php';
do_action('holdfast_catch_up');
do_action('woocommerce_cancel_unpaid_orders');
