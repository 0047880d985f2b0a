<?php

declare(strict_types=1);

namespace Holdfast;

/** Holdfast as a way to pay, in the classic checkout and the block checkout. */
final class Gateway extends \WC_Payment_Gateway
{
    public const ID = 'holdfast';

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
            wc_add_notice(__('The payment could not be started. Please try again in a moment.', 'holdfast-for-woocommerce'), 'error');
            return ['result' => 'failure'];
        }
        $url = $checkout['url'] ?? wc_get_order($id)->get_checkout_order_received_url();
        return ['result' => 'success', 'redirect' => $url];
    }

    /** Saves the settings, and says at once whether the service knows them. */
    public function process_admin_options(): bool
    {
        $isSaved = parent::process_admin_options();
        Store::makeHome();
        try {
            if (Settings::isComplete()) {
                $business = Api::get('/me');
                $token = Api::get('/assets/' . Settings::get('token'));
                $text = $token['accepted']
                    /* translators: 1: a business, 2: test or live, 3: a token */
                    ? __('Holdfast knows this key: %1$s, %2$s. Buyers pay in %3$s.', 'holdfast-for-woocommerce')
                    /* translators: 1: a business, 2: test or live, 3: a token */
                    : __('Holdfast knows this key (%1$s, %2$s), but does not take %3$s.', 'holdfast-for-woocommerce');
                $text = sprintf($text, $business['name'], $business['environment'], $token['symbol']);
                $token['accepted'] ? \WC_Admin_Settings::add_message($text) : \WC_Admin_Settings::add_error($text);
            }
        } catch (ApiError $error) {
            \WC_Admin_Settings::add_error($error->getMessage());
        }
        return $isSaved;
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
            'description' => $text(__('Line below it', 'holdfast-for-woocommerce'), '', __('Your payment waits in an escrow, and you can dispute it there.', 'holdfast-for-woocommerce')),
            'api_url' => $text(__('Address of the API', 'holdfast-for-woocommerce'), __('Such as https://pay.example.com/api/v1', 'holdfast-for-woocommerce')),
            'api_key' => $text(__('API key', 'holdfast-for-woocommerce'), __('A key with the scope full. Its environment is the one in which you sell.', 'holdfast-for-woocommerce'), '', 'password'),
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
            'return' => $box(__('Way back', 'holdfast-for-woocommerce'), __('Send buyers back to their order. This shop has to be at the proven domain of your business.', 'holdfast-for-woocommerce'), 'no'),
        ];
    }
}
