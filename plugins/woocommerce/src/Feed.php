<?php

declare(strict_types=1);

namespace Holdfast;

/** The events that no webhook brought, and the work that no process finished: every minute. */
final class Feed
{
    public const EVENT = 'holdfast_catch_up';
    private const SCHEDULE = 'holdfast_minute';
    private const PAGE_EVENTS = 100;
    /** A run handles so much at most; the next one goes on. */
    private const PAGES_MAX = 20;

    public static function register(): void
    {
        add_filter('cron_schedules', static fn(array $known): array
            => $known + [self::SCHEDULE => ['interval' => MINUTE_IN_SECONDS, 'display' => 'Holdfast: every minute']]);
        add_action(self::EVENT, self::catchUp(...));
        add_action('init', static function (): void {
            if (!wp_next_scheduled(self::EVENT)) {
                wp_schedule_event(time(), self::SCHEDULE, self::EVENT);
            }
        });
    }

    /**
     * Stores an event with work, once: of a payment, or a mismatch. Returns its order; null if there is none of this shop.
     *
     * @param array<string, mixed> $event
     */
    public static function store(array $event): ?int
    {
        $hasWork = Summary::paymentOf($event) !== null || $event['type'] === 'payment_intent.payment_mismatch';
        $order = $hasWork ? Store::orderOf($event['data']['object']['merchantReference'] ?? null) : null;
        if ($order !== null) {
            Store::addEvent($order, $event);
        }
        return $order;
    }

    public static function catchUp(): void
    {
        if (!Settings::isComplete()) {
            return;
        }
        try {
            Store::locked('feed', 0, self::read(...));
        } catch (\RuntimeException $error) {
            wc_get_logger()->warning("The feed waits: {$error->getMessage()}", ['source' => 'holdfast']);
        }
        foreach (Store::waitingOrders() as $order) {
            try {
                Progress::bringUpToDate($order);
            } catch (\Throwable $error) {
                wc_get_logger()->warning("Order $order waits for the feed: {$error->getMessage()}", ['source' => 'holdfast']);
            }
        }
    }

    /** Another key may be that of another business or environment, whose sequences are its own. */
    private static function read(): void
    {
        $feed = substr(hash('sha256', Settings::serviceUrl() . Api::get('/me')['id'] . Settings::environment()), 0, 16);
        // Another process may have moved the cursor since this one read the options.
        wp_cache_delete("holdfast_cursor_$feed", 'options');
        $cursor = get_option("holdfast_cursor_$feed", '0');
        for ($pages = 0; $pages < self::PAGES_MAX; $pages++) {
            $page = Api::get("/events?after_sequence=$cursor&limit=" . self::PAGE_EVENTS);
            foreach (array_reverse($page['data']) as $event) {
                self::store($event);
                $cursor = $event['sequence'];
            }
            update_option("holdfast_cursor_$feed", $cursor, false);
            if (!$page['hasMore']) {
                return;
            }
        }
    }
}
