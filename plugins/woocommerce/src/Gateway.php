<?php

declare(strict_types=1);

namespace Holdfast;

/** Holdfast as a way to pay, in the classic checkout and the block checkout. */
final class Gateway extends \WC_Payment_Gateway
{
    public const ID = 'holdfast';
    /** The settings from which a create has its members. */
    private const SETTINGS = ['recipient' => 'recipient', 'asset' => 'token', 'price' => 'amounts', 'amount' => 'amounts', 'returnUrl' => 'return'];

    public static function register(string $folderUrl): void
    {
        add_filter('woocommerce_payment_gateways', static fn(array $gateways): array => [...$gateways, self::class]);
        add_filter('woocommerce_rest_prepare_payment_gateway', self::hideSecrets(...), 10, 2);
        add_action('woocommerce_blocks_payment_method_type_registration', static function (object $registry) use ($folderUrl): void {
            $registry->register(new BlockMethod($folderUrl));
        });
    }

    public function __construct()
    {
        $this->id = self::ID;
        $this->method_title = 'Holdfast';
        $this->method_description = __('Buyers pay from a Solana wallet into an escrow, and can dispute for a while. The money is yours once that time is over.', 'holdfast-for-woocommerce');
        $this->supports = ['products', 'refunds'];
        $this->form_fields = self::fields();
        $this->init_settings();
        $this->title = $this->get_option('title');
        $this->description = $this->get_option('description');
        add_action("woocommerce_update_options_payment_gateways_$this->id", $this->process_admin_options(...));
    }

    /** A key of WooCommerce's API that reads must not read the keys of Holdfast. */
    private static function hideSecrets(\WP_REST_Response $answer, \WC_Payment_Gateway $gateway): \WP_REST_Response
    {
        if ($gateway->id === self::ID) {
            $data = $answer->get_data();
            foreach (['api_key', 'webhook_secret'] as $name) {
                if (isset($data['settings'][$name])) {
                    $data['settings'][$name]['value'] = '';
                }
            }
            $answer->set_data($data);
        }
        return $answer;
    }

    public function is_available(): bool
    {
        return parent::is_available() && Settings::isComplete() && Settings::isTokensCurrency(get_woocommerce_currency());
    }

    /**
     * @param int|string $order_id
     * @return array{result: string, redirect?: string}
     */
    public function process_payment($order_id): array
    {
        $id = (int) $order_id;
        try {
            $checkout = Checkout::open($id);
        } catch (\RuntimeException $error) {
            wc_get_logger()->error("Order $id: {$error->getMessage()}", ['source' => 'holdfast']);
            /* translators: a reason */
            Orders::noteOnce($id, sprintf(__('Holdfast: the buyer was not sent to the checkout. %s', 'holdfast-for-woocommerce'), self::reasonOf($error)));
            wc_add_notice(__('The payment could not be started. Try again in a moment, choose another way to pay, or ask the shop.', 'holdfast-for-woocommerce'), 'error');
            return ['result' => 'failure'];
        }
        $url = $checkout['url'] ?? wc_get_order($id)->get_checkout_order_received_url();
        return ['result' => 'success', 'redirect' => $url];
    }

    /** Saves the settings, and says at once whether a buyer can pay by them. */
    public function process_admin_options(): bool
    {
        $isSaved = parent::process_admin_options();
        Store::makeHome();
        $missing = array_map(fn(string $name): string => $this->form_fields[$name]['title'], Settings::missing());
        try {
            if ($missing === []) {
                \WC_Admin_Settings::add_message(self::tryTerms());
            } else {
                /* translators: names of settings */
                \WC_Admin_Settings::add_error(sprintf(__('Saved. Nobody can pay before you enter: %s.', 'holdfast-for-woocommerce'), implode(', ', $missing)));
            }
        } catch (\RuntimeException $error) {
            /* translators: a reason */
            \WC_Admin_Settings::add_error(sprintf(__('Saved, but nobody can pay by these settings. %s', 'holdfast-for-woocommerce'), self::reasonOf($error)));
        }
        return $isSaved;
    }

    /** Makes an intent for one unit of the currency, as an order would, and cancels it. Returns what its buyer would have paid. */
    private static function tryTerms(): string
    {
        $business = Api::get('/me');
        $currency = get_woocommerce_currency();
        $intent = Api::post('/payment-intents', Orders::termsOf('1', $currency, home_url('/')) + [
            'merchantReference' => Store::tryReference(),
            'description' => "A try of the shop's settings",
        ]);
        Api::post("/payment-intents/{$intent['id']}/cancel");
        return sprintf(
            /* translators: 1: an amount of the shop, 2: an amount of a token, 3: a business, 4: test or live */
            __('Saved and tried: for %1$s a buyer pays %2$s to %3$s (%4$s).', 'holdfast-for-woocommerce'),
            Money::text('1', $currency) . " $currency",
            Orders::showAmount($intent['amount'], $intent['asset']),
            $business['name'],
            $business['environment'],
        );
    }

    private static function reasonOf(\RuntimeException $error): string
    {
        if (!$error instanceof ApiError) {
            return $error->getMessage();
        }
        if ($error->is('unauthorized')) {
            return __('Holdfast does not know this key.', 'holdfast-for-woocommerce');
        }
        $setting = self::SETTINGS[$error->details['param'] ?? ''] ?? null;
        $text = ($setting === null ? '' : self::fields()[$setting]['title'] . ': ') . $error->getMessage();
        $hint = __('If it stays, ask whoever runs Holdfast for rates of your currency.', 'holdfast-for-woocommerce');
        return $text . ($error->is('unavailable') && Settings::get('amounts') === 'price' ? " $hint" : '');
    }

    /** @return array<string, array<string, mixed>> */
    private static function fields(): array
    {
        $text = static fn(string $title, string $description, string $default = '', string $type = 'text'): array
            => ['title' => $title, 'description' => $description, 'default' => $default, 'type' => $type];
        $choice = static fn(string $title, string $description, string $default, array $options): array
            => ['title' => $title, 'description' => $description, 'default' => $default, 'type' => 'select', 'options' => $options];
        $box = static fn(string $title, string $label, string $default): array
            => ['title' => $title, 'label' => $label, 'default' => $default, 'type' => 'checkbox'];
        $periods = [
            'oneHour' => __('an hour', 'holdfast-for-woocommerce'),
            'oneDay' => __('a day', 'holdfast-for-woocommerce'),
            'threeDays' => __('3 days', 'holdfast-for-woocommerce'),
            'sevenDays' => __('7 days', 'holdfast-for-woocommerce'),
            'fourteenDays' => __('14 days', 'holdfast-for-woocommerce'),
            'thirtyDays' => __('30 days', 'holdfast-for-woocommerce'),
        ];
        $amounts = [
            'price' => __('Holdfast makes the amount from the price', 'holdfast-for-woocommerce'),
            'amount' => __('One unit of the currency is one token', 'holdfast-for-woocommerce'),
        ];
        return [
            'enabled' => $box(__('Offer it', 'holdfast-for-woocommerce'), __('Offer Holdfast at the checkout', 'holdfast-for-woocommerce'), 'no'),
            'title' => $text(__('Name', 'holdfast-for-woocommerce'), __('The name that buyers see.', 'holdfast-for-woocommerce'), __('Solana wallet, with buyer protection', 'holdfast-for-woocommerce')),
            'description' => $text(__('Line below it', 'holdfast-for-woocommerce'), '', __('Your payment waits in an escrow, and you can dispute it there.', 'holdfast-for-woocommerce'), 'textarea'),
            'api_url' => $text(__('Address of the API', 'holdfast-for-woocommerce'), __('Such as https://pay.example.com/api/v1', 'holdfast-for-woocommerce')),
            'api_key' => $text(__('API key', 'holdfast-for-woocommerce'), __('A key with full access. Its environment is the one in which you sell.', 'holdfast-for-woocommerce'), '', 'password'),
            'webhook_secret' => $text(
                __('Webhook secret', 'holdfast-for-woocommerce'),
                /* translators: an address */
                sprintf(__('The secret of the endpoint %s. While it is rolled, both, with a space between.', 'holdfast-for-woocommerce'), '<code>' . esc_html(Hooks::url()) . '</code>'),
                '',
                'password',
            ),
            'recipient' => $text(__('Recipient', 'holdfast-for-woocommerce'), __('The address of your wallet.', 'holdfast-for-woocommerce')),
            /* translators: the code of a currency */
            'token' => $text(__('Token', 'holdfast-for-woocommerce'), sprintf(__('The mint of the token that pays %s.', 'holdfast-for-woocommerce'), get_woocommerce_currency())),
            'amounts' => $choice(__('Amounts', 'holdfast-for-woocommerce'), '', 'price', $amounts),
            'protection_period' => $choice(__('Buyers may dispute for', 'holdfast-for-woocommerce'), '', 'sevenDays', $periods),
            'return' => $box(__('Way back', 'holdfast-for-woocommerce'), __('Send buyers back to their order. In live, this shop has to be at the proven domain of your business.', 'holdfast-for-woocommerce'), 'no'),
        ];
    }
}
