<?php

declare(strict_types=1);

namespace Holdfast;

/** The settings of the shop's staff. A constant of wp-config.php, such as HOLDFAST_API_KEY, stands above the stored one. */
final class Settings
{
    public const OPTION = 'woocommerce_' . Gateway::ID . '_settings';
    private const NEEDED = ['api_url', 'api_key', 'recipient', 'token'];
    private const DEFAULTS = ['protection_period' => 'sevenDays', 'amounts' => 'price', 'return' => 'no'];

    public static function get(string $name): string
    {
        $constant = 'HOLDFAST_' . strtoupper($name);
        $stored = get_option(self::OPTION, []);
        return trim((string) (defined($constant) ? constant($constant) : $stored[$name] ?? self::DEFAULTS[$name] ?? ''));
    }

    /** @return list<string> the settings without which the shop cannot ask for a payment, and which are empty */
    public static function missing(): array
    {
        return array_values(array_filter(self::NEEDED, static fn(string $name): bool => self::get($name) === ''));
    }

    /** A copy of the shop must not ask for a payment. */
    public static function isComplete(): bool
    {
        return Store::isHome() && self::missing() === [];
    }

    public static function serviceUrl(): string
    {
        return preg_replace('~/+(api/v1/*)?$~', '', self::get('api_url'));
    }

    public static function apiUrl(): string
    {
        return self::serviceUrl() . '/api/v1';
    }

    /** The environment of the key, in which the shop sells. */
    public static function environment(): string
    {
        return str_starts_with(self::get('api_key'), 'sk_live_') ? 'live' : 'test';
    }

    /** True if a token stands for a unit of this currency. In the other mode the service makes the amount, of any currency. */
    public static function isTokensCurrency(string $currency): bool
    {
        // The shop's own currency: a plugin may offer buyers others.
        return self::get('amounts') === 'price' || $currency === get_option('woocommerce_currency');
    }

    /** @return list<string> */
    public static function secrets(): array
    {
        return preg_split('/\s+/', self::get('webhook_secret'), -1, PREG_SPLIT_NO_EMPTY);
    }
}
