<?php

declare(strict_types=1);

namespace Holdfast;

/** The address to which events are delivered. */
final class Hooks
{
    private const SPACE = 'holdfast/v1';
    private const ROUTE = '/hooks';
    private const BYTES_MAX = 2_097_152;

    public static function register(): void
    {
        add_action('rest_api_init', static function (): void {
            register_rest_route(self::SPACE, self::ROUTE, [
                'methods' => 'POST',
                'callback' => self::take(...),
                // The signature is the permission.
                'permission_callback' => '__return_true',
            ]);
        });
    }

    public static function url(): string
    {
        return get_rest_url(null, self::SPACE . self::ROUTE);
    }

    /** Verifies an event over its bytes, stores it, brings its order up to date, and answers. */
    private static function take(\WP_REST_Request $request): \WP_REST_Response
    {
        $body = $request->get_body();
        if (strlen($body) > self::BYTES_MAX) {
            return new \WP_REST_Response(['message' => 'The body is too large.'], 413);
        }
        $event = Webhook::verify($body, (string) $request->get_header('Service-Signature'), Settings::secrets(), time());
        if ($event === null) {
            return new \WP_REST_Response(['message' => 'No signature matches.'], 400);
        }
        $order = Feed::store($event);
        try {
            if ($order !== null) {
                Progress::bringUpToDate($order);
            }
        } catch (\Throwable $error) {
            // The feed finds the stored event, and does what failed here.
            wc_get_logger()->warning("Order $order waits for the feed: {$error->getMessage()}", ['source' => 'holdfast']);
        }
        return new \WP_REST_Response(null, 204);
    }
}
