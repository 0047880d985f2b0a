<?php

// Fills an empty shop: a product for 24.505 dollars that is paid by Holdfast, a page with the block checkout and one with the
// classic checkout, and an owner. Prints what a buyer's browser and the staff would know.

$step = $argv[1];
if ($step === 'install') {
    define('WP_INSTALLING', true);
}
require __DIR__ . '/wp-load.php';

if ($step === 'install') {
    require_once ABSPATH . 'wp-admin/includes/upgrade.php';
    wp_install('Shop', 'owner', 'owner@shop.example', false, '', 'of a throw-away shop');
    exit;
}
if ($step === 'activate') {
    require_once ABSPATH . 'wp-admin/includes/plugin.php';
    foreach (['woocommerce/woocommerce.php', 'holdfast-for-woocommerce/holdfast-for-woocommerce.php'] as $plugin) {
        $result = activate_plugin($plugin);
        if (is_wp_error($result)) {
            throw new Exception($result->get_error_message());
        }
    }
    exit;
}

$options = [
    'permalink_structure' => '/%postname%/',
    'woocommerce_coming_soon' => 'no',
    'woocommerce_store_address' => '1 Bean St',
    'woocommerce_default_country' => 'US:NY',
    'woocommerce_currency' => 'USD',
    'woocommerce_price_num_decimals' => '3',
    'woocommerce_ship_to_countries' => 'disabled',
    'woocommerce_allow_tracking' => 'no',
    'woocommerce_hold_stock_minutes' => '1440',
    'woocommerce_custom_orders_table_enabled' => getenv('SHOP_ORDERS') === 'posts' ? 'no' : 'yes',
    'woocommerce_holdfast_settings' => json_decode(getenv('SHOP_HOLDFAST'), true) + ['enabled' => 'yes', 'title' => 'Holdfast'],
];
foreach ($options as $name => $value) {
    update_option($name, $value);
}
flush_rewrite_rules();

$product = new WC_Product_Simple();
$product->set_props(['name' => 'Yirgacheffe', 'regular_price' => '24.505', 'status' => 'publish']);
$product->save();
wp_insert_post([
    'post_type' => 'page',
    'post_status' => 'publish',
    'post_title' => 'Classic checkout',
    'post_name' => 'classic',
    'post_content' => '[woocommerce_checkout]',
]);
[$password] = WP_Application_Passwords::create_new_application_password(1, ['name' => 'bed']);
echo json_encode([
    'product' => $product->get_id(),
    'password' => $password,
    'site' => get_option('holdfast_shop'),
    'wordpress' => get_bloginfo('version'),
    'woocommerce' => WC()->version,
    'tables' => Automattic\WooCommerce\Utilities\OrderUtil::custom_orders_table_usage_is_enabled(),
]);
