<?php

declare(strict_types=1);

namespace Holdfast;

/** Amounts of the shop in the decimals of their currency, beside amounts of tokens. */
final class Money
{
    /** The currencies of ISO 4217 whose minor unit has other than two decimals. */
    private const PLACES = [
        0 => ['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'],
        3 => ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'],
    ];

    private static function places(string $currency): int
    {
        foreach (self::PLACES as $places => $currencies) {
            if (in_array($currency, $currencies, true)) {
                return $places;
            }
        }
        return 2;
    }

    /** An amount of the shop, such as "24.50". WooCommerce keeps more decimals. */
    public static function text(string|float $amount, string $currency): string
    {
        return number_format((float) $amount, self::places($currency), '.', '');
    }

    /** The same in the currency's smallest unit. */
    public static function minor(string|float $amount, string $currency): int
    {
        return (int) str_replace('.', '', self::text($amount, $currency));
    }

    /** A number of smallest units as an amount of the shop. */
    public static function major(int $minor, string $currency): string
    {
        $places = self::places($currency);
        $digits = str_pad((string) $minor, $places + 1, '0', STR_PAD_LEFT);
        return $places === 0 ? $digits : substr_replace($digits, '.', -$places, 0);
    }

    /** An amount of a token as people read it, such as "24.5 USDC". */
    public static function show(string $units, int $decimals, string $symbol): string
    {
        $digits = str_pad($units, $decimals + 1, '0', STR_PAD_LEFT);
        $text = $decimals === 0 ? $digits : rtrim(rtrim(substr_replace($digits, '.', -$decimals, 0), '0'), '.');
        return "$text $symbol";
    }

    /** One unit of the currency as one token, in the token's smallest unit. */
    public static function units(string $text, int $decimals): string
    {
        [$whole, $fraction] = explode('.', "$text.");
        if (strlen(rtrim($fraction, '0')) > $decimals) {
            throw new \RuntimeException("$text has more decimals than the token.");
        }
        return Digits::trim($whole . substr(str_pad($fraction, $decimals, '0'), 0, $decimals));
    }

    /** The part of an order's total that went back, from the token's amounts: rounded down, and the whole for the whole. */
    public static function share(string $refundTotal, string $amount, int $total): int
    {
        return $refundTotal === $amount
            ? $total
            : (int) Digits::divide(Digits::multiply((string) $total, $refundTotal), $amount)[0];
    }

    /** The smallest refund in tokens of which the share is at least this much. */
    public static function tokens(int $share, string $amount, int $total): string
    {
        [$quotient, $rest] = Digits::divide(Digits::multiply((string) $share, $amount), (string) $total);
        return $rest === '0' ? $quotient : Digits::increment($quotient);
    }
}
