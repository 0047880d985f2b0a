<?php
/**
 * Plugin Name: Holdfast for WooCommerce
 * Description: Orders are paid into an escrow on Solana, and show protected, disputed, released and refunded beside WooCommerce's own states.
 * Version: 0.1.0
 * Requires at least: 6.5
 * Requires PHP: 8.1
 * Requires Plugins: woocommerce
 * WC requires at least: 9.4
 * License: Apache-2.0
 * License URI: https://www.apache.org/licenses/LICENSE-2.0
 * Text Domain: holdfast-for-woocommerce
 */

declare(strict_types=1);

namespace Holdfast;

use Automattic\WooCommerce\Utilities\FeaturesUtil;

defined('ABSPATH') || exit;

/** The parts of the plugin, each in a file of its own name. */
spl_autoload_register(static function (string $class): void {
    if (preg_match('/^Holdfast\\\\(\w+)$/', $class, $found) && is_file(__DIR__ . "/src/{$found[1]}.php")) {
        require __DIR__ . "/src/{$found[1]}.php";
    }
});

add_action('before_woocommerce_init', static function (): void {
    FeaturesUtil::declare_compatibility('custom_order_tables', __FILE__, true);
    FeaturesUtil::declare_compatibility('cart_checkout_blocks', __FILE__, true);
});

add_action('plugins_loaded', static function (): void {
    if (!class_exists('WC_Payment_Gateway')) {
        return;
    }
    Store::install();
    Gateway::register(plugin_dir_url(__FILE__));
    Orders::register();
    Checkout::register();
    Refunds::register();
    Hooks::register();
    Feed::register();
    OrderPage::register();
    add_filter('plugin_action_links_' . plugin_basename(__FILE__), static function (array $links): array {
        $page = admin_url('admin.php?page=wc-settings&tab=checkout&section=' . Gateway::ID);
        return [sprintf('<a href="%s">%s</a>', esc_url($page), esc_html__('Settings', 'holdfast-for-woocommerce')), ...$links];
    });
});

register_deactivation_hook(__FILE__, static fn() => wp_clear_scheduled_hook(Feed::EVENT));
