<?php

declare(strict_types=1);

namespace Holdfast;

/** The signature of a delivery, over its bytes as they arrived. */
final class Webhook
{
    private const TOLERANCE_SECONDS = 300;

    /**
     * Returns the event of a genuine delivery, else null.
     *
     * @param list<string> $secrets the endpoint's secret; while it is rolled, the new and the old one
     * @return ?array<string, mixed>
     */
    public static function verify(string $body, string $header, array $secrets, int $now): ?array
    {
        [$times, $signatures] = [[], []];
        foreach (explode(',', $header) as $part) {
            [$name, $value] = explode('=', trim($part), 2) + [1 => ''];
            if ($name === 't') {
                $times[] = $value;
            } elseif ($name === 'v1') {
                $signatures[] = $value;
            }
        }
        if (count($times) !== 1 || !preg_match('/^\d{1,12}\z/', $times[0])) {
            return null;
        }
        if (abs($now - (int) $times[0]) > self::TOLERANCE_SECONDS) {
            return null;
        }
        foreach ($secrets as $secret) {
            $wanted = hash_hmac('sha256', "$times[0].$body", $secret);
            foreach ($signatures as $signature) {
                if ($secret !== '' && hash_equals($wanted, $signature)) {
                    return self::parse($body);
                }
            }
        }
        return null;
    }

    /** @return ?array<string, mixed> */
    private static function parse(string $body): ?array
    {
        $event = json_decode($body, true);
        return is_array($event) && is_string($event['id'] ?? null) ? $event : null;
    }
}
