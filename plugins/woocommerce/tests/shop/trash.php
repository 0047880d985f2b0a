<?php

// Moves an order to the trash, as the list of orders does that.

require __DIR__ . '/wp-load.php';
$isPost = get_post_type((int) $argv[1]) === 'shop_order';
$isPost ? wp_trash_post((int) $argv[1]) : wc_get_order((int) $argv[1])->delete();
