<?php

declare(strict_types=1);

namespace Holdfast;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

/** The same way to pay, as the block checkout asks for it. */
final class BlockMethod extends AbstractPaymentMethodType
{
    protected $name = Gateway::ID;

    public function __construct(private readonly string $folderUrl)
    {
    }

    public function initialize(): void
    {
        $this->settings = get_option(Settings::OPTION, []);
    }

    public function is_active(): bool
    {
        return ($this->settings['enabled'] ?? 'no') === 'yes' && Settings::isComplete();
    }

    /** @return list<string> */
    public function get_payment_method_script_handles(): array
    {
        $needed = ['wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities'];
        wp_register_script('holdfast-checkout', "{$this->folderUrl}assets/checkout.js", $needed, '0.1.0', true);
        return ['holdfast-checkout'];
    }

    /** @return array<string, mixed> */
    public function get_payment_method_data(): array
    {
        return ['title' => $this->get_setting('title'), 'description' => $this->get_setting('description')];
    }
}
