<?php

declare(strict_types=1);

namespace Holdfast;

/** The API of the service, by WordPress's own HTTP. */
final class Api
{
    private const SECONDS_MAX = 15;

    /** @return array<string, mixed> */
    public static function get(string $path): array
    {
        return self::call('GET', $path, null, []);
    }

    /**
     * @param ?array<string, mixed> $body
     * @return array<string, mixed>
     */
    public static function post(string $path, ?array $body = null, ?string $idempotencyKey = null): array
    {
        return self::call('POST', $path, $body, $idempotencyKey === null ? [] : ['Idempotency-Key' => $idempotencyKey]);
    }

    /**
     * @param ?array<string, mixed> $body
     * @param array<string, string> $headers
     * @return array<string, mixed>
     */
    private static function call(string $method, string $path, ?array $body, array $headers): array
    {
        $headers += ['Authorization' => 'Bearer ' . Settings::get('api_key'), 'Content-Type' => 'application/json'];
        $answer = wp_remote_request(Settings::apiUrl() . $path, [
            'method' => $method,
            'headers' => $headers,
            'body' => $body === null ? null : wp_json_encode((object) $body),
            'timeout' => self::SECONDS_MAX,
            'redirection' => 0,
        ]);
        return self::read($answer);
    }

    /** @return array<string, mixed> the state of a checkout, which everybody with its link may read */
    public static function state(string $checkoutUrl): array
    {
        return self::read(wp_remote_get("$checkoutUrl/state", ['timeout' => self::SECONDS_MAX, 'redirection' => 0]));
    }

    /**
     * @param array<string, mixed>|\WP_Error $answer
     * @return array<string, mixed>
     */
    private static function read(array|\WP_Error $answer): array
    {
        if (is_wp_error($answer)) {
            // Its text has times and ports that differ at each try.
            wc_get_logger()->warning($answer->get_error_message(), ['source' => 'holdfast']);
            throw new ApiError(0, [], 'Holdfast could not be reached.');
        }
        $status = (int) wp_remote_retrieve_response_code($answer);
        $json = json_decode(wp_remote_retrieve_body($answer), true);
        if ($status >= 200 && $status < 300 && is_array($json)) {
            return $json;
        }
        $details = $json['error'] ?? [];
        $text = $details['message'] ?? 'The answer is no JSON.';
        throw new ApiError($status, $details, "Holdfast answered $status: $text");
    }

    /** @return array{symbol: ?string, decimals: int} */
    public static function token(string $mint): array
    {
        $known = "holdfast_token_$mint";
        $token = get_transient($known);
        if ($token === false) {
            $token = array_intersect_key(self::get('/assets/' . rawurlencode($mint)), array_flip(['symbol', 'decimals']));
            set_transient($known, $token, DAY_IN_SECONDS);
        }
        return $token;
    }

    /** The payment's page in the dashboard, where its recipient signs. */
    public static function paymentPage(string $payment): string
    {
        $known = 'holdfast_me_' . substr(hash('sha256', Settings::get('api_key')), 0, 16);
        $business = get_transient($known);
        if ($business === false) {
            $business = self::get('/me')['id'];
            set_transient($known, $business, DAY_IN_SECONDS);
        }
        return Settings::serviceUrl() . "/dashboard/$business/" . Settings::environment() . "/payments/$payment";
    }
}
