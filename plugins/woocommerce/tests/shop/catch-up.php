<?php

// What a minute's cron of the shop does for the plugin.

require __DIR__ . '/wp-load.php';
do_action('holdfast_catch_up');
