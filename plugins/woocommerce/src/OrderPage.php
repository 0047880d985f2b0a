<?php

declare(strict_types=1);

namespace Holdfast;

/** The state of an order beside WooCommerce's own: for the staff, and for the buyer who comes back. */
final class OrderPage
{
    private const COLUMN = 'holdfast';
    /** A page that anybody loads again and again must not use up the requests of the shop's key. */
    private const READ_SECONDS = 5;

    public static function register(): void
    {
        add_action('add_meta_boxes', static function (): void {
            foreach (array_unique(['shop_order', wc_get_page_screen_id('shop-order')]) as $screen) {
                add_meta_box('holdfast', __('Buyer protection', 'holdfast-for-woocommerce'), self::printBox(...), $screen, 'side', 'high');
            }
        });
        // Orders are in tables of their own, or are posts: WooCommerce has a list for each.
        $addColumn = static fn(array $columns): array => $columns + [self::COLUMN => __('Protection', 'holdfast-for-woocommerce')];
        foreach (['woocommerce_page_wc-orders' => 'woocommerce_page_wc-orders', 'edit-shop_order' => 'shop_order_posts'] as $list => $cells) {
            add_filter("manage_{$list}_columns", $addColumn, 20);
            add_action("manage_{$cells}_custom_column", self::printCell(...), 10, 2);
        }
        add_action('woocommerce_thankyou_' . Gateway::ID, self::printForBuyer(...));
        add_action('woocommerce_view_order', self::printForBuyer(...), 5);
    }

    private static function printBox(\WP_Post|\WC_Order $shown): void
    {
        $order = Orders::read($shown instanceof \WC_Order ? $shown->get_id() : $shown->ID);
        if ($order === null) {
            echo '<p>' . esc_html__('This order is paid in another way.', 'holdfast-for-woocommerce') . '</p>';
            return;
        }
        $state = Progress::shown($order);
        $progress = $state['progress'] ?? 'open';
        printf('<p><strong>%s</strong><br>%s</p>', esc_html(Texts::label($progress)), esc_html(Texts::progress($state)));
        if ($state['protectedUntil'] ?? null) {
            $until = wp_date(get_option('date_format') . ' ' . get_option('time_format'), strtotime($state['protectedUntil']));
            /* translators: a date */
            printf('<p>%s</p>', esc_html(sprintf(__('The buyer can dispute until %s.', 'holdfast-for-woocommerce'), $until)));
        }
        if ($state['payment'] ?? null) {
            self::printPaymentLink($state['payment'], Texts::paymentLink());
        } elseif ($order->needs_payment()) {
            self::printLink($order->get_checkout_payment_url(), __('Link to pay', 'holdfast-for-woocommerce'));
        }
        if ($state['receiptUrl'] ?? null) {
            self::printLink($state['receiptUrl'], __('Receipt', 'holdfast-for-woocommerce'));
        }
        foreach ($state['owed'] ?? [] as ['payment' => $payment, 'reason' => $reason]) {
            printf('<p><strong>%s</strong></p>', esc_html(Texts::owed($reason)));
            self::printPaymentLink($payment, __('Refund it in Holdfast', 'holdfast-for-woocommerce'));
        }
    }

    /** The page of an order opens also while Holdfast is out of reach. */
    private static function printPaymentLink(string $payment, string $text): void
    {
        try {
            self::printLink(Api::paymentPage($payment), $text);
        } catch (ApiError $error) {
            printf('<p>%s</p>', esc_html($error->getMessage()));
        }
    }

    private static function printLink(string $url, string $text): void
    {
        printf('<p><a href="%s" target="_blank" rel="noreferrer">%s</a></p>', esc_url($url), esc_html($text));
    }

    private static function printCell(string $column, int|\WC_Order $shown): void
    {
        if ($column !== self::COLUMN) {
            return;
        }
        $order = $shown instanceof \WC_Order ? $shown : wc_get_order($shown);
        $state = $order ? Progress::shown($order) : null;
        if ($state !== null) {
            echo esc_html(Texts::label($state['progress']));
        }
    }

    /** @return ?array<string, mixed> the intent's payment, as the API had it some seconds ago at most */
    private static function paymentOf(string $intent): ?array
    {
        $known = get_transient("holdfast_read_$intent");
        if ($known === false) {
            $known = ['payment' => Api::get("/payment-intents/$intent")['payment']];
            set_transient("holdfast_read_$intent", $known, self::READ_SECONDS);
        }
        return $known['payment'];
    }

    /** Reads what the API says, and changes nothing. */
    private static function printForBuyer(int $id): void
    {
        $order = Orders::read($id);
        $intent = $order === null || Orders::isPaidElsewhere($order) ? null : Store::lastAttempt($id)?->intent;
        if (!$intent) {
            return;
        }
        try {
            $payment = self::paymentOf($intent);
        } catch (ApiError) {
            return;
        }
        printf('<p class="woocommerce-info">%s</p>', esc_html(Texts::forBuyer($payment['status'] ?? null)));
        if ($payment['receiptUrl'] ?? null) {
            self::printLink($payment['receiptUrl'], __('Receipt', 'holdfast-for-woocommerce'));
        } elseif ($order->needs_payment()) {
            self::printLink($order->get_checkout_payment_url(), __('Pay', 'holdfast-for-woocommerce'));
        }
    }
}
