<?php

declare(strict_types=1);

namespace Holdfast;

/** The plugin's own rows: attempts to pay an order, and events, each stored before it is used. */
final class Store
{
    private const VERSION = '1';
    private const LOCK_SECONDS_MAX = 30;
    private const EVENTS_MAX = 1000;
    private const ORDERS_MAX = 200;

    /** Makes the tables, and the name of this shop in its references, where they are missing. */
    public static function install(): void
    {
        if (get_option('holdfast_version') === self::VERSION) {
            return;
        }
        global $wpdb;
        require_once ABSPATH . 'wp-admin/includes/upgrade.php';
        $charset = $wpdb->get_charset_collate();
        dbDelta("CREATE TABLE {$wpdb->prefix}holdfast_attempts (
            order_id bigint unsigned NOT NULL,
            number int unsigned NOT NULL,
            intent varchar(100) NULL,
            PRIMARY KEY  (order_id,number)
        ) $charset;");
        dbDelta("CREATE TABLE {$wpdb->prefix}holdfast_events (
            id varchar(100) NOT NULL,
            order_id bigint unsigned NOT NULL,
            body longtext NOT NULL,
            is_handled tinyint NOT NULL DEFAULT 0,
            PRIMARY KEY  (id),
            KEY order_id (order_id),
            KEY waiting (is_handled,order_id)
        ) $charset;");
        add_option('holdfast_shop', bin2hex(random_bytes(4)));
        add_option('holdfast_home', get_option('home'));
        update_option('holdfast_version', self::VERSION);
    }

    /**
     * False in a copy of the shop's database at another address, such as a staging site: it must not sell, cancel or read for
     * the shop. Saving the settings makes an address the shop's.
     */
    public static function isHome(): bool
    {
        return get_option('holdfast_home') === get_option('home');
    }

    public static function makeHome(): void
    {
        update_option('holdfast_home', get_option('home'));
    }

    /**
     * The order's id for the service. Shops of one business have different ones, and so have two orders of one number, which a
     * database that was restored from a copy gives twice: the order's key is in it.
     */
    public static function reference(\WC_Order $order): string
    {
        $key = substr(hash('sha256', $order->get_order_key()), 0, 8);
        return 'wc-' . get_option('holdfast_shop') . "-{$order->get_id()}-$key";
    }

    /** A reference of no order, used once. */
    public static function tryReference(): string
    {
        return 'wc-' . get_option('holdfast_shop') . '-try-' . bin2hex(random_bytes(4));
    }

    /** Returns null for a reference of another system, or of an order that is not there. */
    public static function orderOf(mixed $reference): ?int
    {
        $own = '/^wc-' . get_option('holdfast_shop') . '-(\d{1,18})-[0-9a-f]{8}\z/';
        if (!is_string($reference) || !preg_match($own, $reference, $found)) {
            return null;
        }
        $order = Orders::read((int) $found[1]);
        return $order !== null && self::reference($order) === $reference ? (int) $found[1] : null;
    }

    /**
     * Work on an order, one at a time over all processes of the shop. The lock ends with the connection.
     *
     * @template Result
     * @param callable(): Result $work
     * @return Result
     */
    public static function inOrder(int $order, callable $work): mixed
    {
        return self::locked("order_$order", self::LOCK_SECONDS_MAX, $work);
    }

    public static function locked(string $name, int $secondsMax, callable $work): mixed
    {
        global $wpdb;
        // The names of locks are those of the whole server.
        $lock = 'hf_' . substr(hash('sha256', DB_NAME . $wpdb->prefix), 0, 24) . "_$name";
        if ($wpdb->get_var($wpdb->prepare('SELECT GET_LOCK(%s, %d)', $lock, $secondsMax)) !== '1') {
            throw new \RuntimeException("Other work holds $name.");
        }
        try {
            return $work();
        } finally {
            $wpdb->get_var($wpdb->prepare('SELECT RELEASE_LOCK(%s)', $lock));
        }
    }

    /** The newest attempt of an order: its intent is null until the answer came, and empty if that was a refusal. */
    public static function lastAttempt(int $order): ?object
    {
        return self::attempts($order)[0] ?? null;
    }

    /** @return list<object{number: string, intent: ?string}> newest first */
    public static function attempts(int $order): array
    {
        global $wpdb;
        $query = "SELECT number, intent FROM {$wpdb->prefix}holdfast_attempts WHERE order_id = %d ORDER BY number DESC LIMIT 1000";
        return $wpdb->get_results($wpdb->prepare($query, $order));
    }

    public static function addAttempt(int $order, int $number): void
    {
        global $wpdb;
        $query = "INSERT INTO {$wpdb->prefix}holdfast_attempts (order_id, number) VALUES (%d, %d)";
        self::write($wpdb->prepare($query, $order, $number));
    }

    public static function endAttempt(int $order, int $number, string $intent): void
    {
        global $wpdb;
        $query = "UPDATE {$wpdb->prefix}holdfast_attempts SET intent = %s WHERE order_id = %d AND number = %d";
        self::write($wpdb->prepare($query, $intent, $order, $number));
    }

    /**
     * Stores an event, once: its id is that of the service.
     *
     * @param array<string, mixed> $event
     */
    public static function addEvent(int $order, array $event): void
    {
        global $wpdb;
        $query = "INSERT IGNORE INTO {$wpdb->prefix}holdfast_events (id, order_id, body) VALUES (%s, %d, %s)";
        self::write($wpdb->prepare($query, $event['id'], $order, wp_json_encode($event)));
    }

    /** @return list<object{id: string, body: string, is_handled: string}> those that wait, and those with a payment */
    public static function events(int $order): array
    {
        global $wpdb;
        $query = "SELECT id, body, is_handled FROM {$wpdb->prefix}holdfast_events WHERE order_id = %d AND (is_handled = 0 OR body LIKE %s) LIMIT %d";
        $rows = $wpdb->get_results($wpdb->prepare($query, $order, '%"object":"payment"%', self::EVENTS_MAX + 1));
        // A part of them would say another state.
        return count($rows) <= self::EVENTS_MAX ? $rows : throw new \RuntimeException("Order $order has too many events.");
    }

    /** True if an event of an order shows this payment. */
    public static function hasPayment(int $order, string $payment): bool
    {
        global $wpdb;
        $query = "SELECT body FROM {$wpdb->prefix}holdfast_events WHERE order_id = %d AND body LIKE %s";
        $bodies = $wpdb->get_col($wpdb->prepare($query, $order, '%' . $wpdb->esc_like(wp_json_encode($payment)) . '%'));
        $isOf = static fn(string $body): bool => (Summary::paymentOf(json_decode($body, true))['id'] ?? null) === $payment;
        return array_filter($bodies, $isOf) !== [];
    }

    /** @param list<string> $ids */
    public static function markHandled(array $ids): void
    {
        if ($ids === []) {
            return;
        }
        global $wpdb;
        $places = implode(', ', array_fill(0, count($ids), '%s'));
        $query = "UPDATE {$wpdb->prefix}holdfast_events SET is_handled = 1 WHERE id IN ($places)";
        self::write($wpdb->prepare($query, $ids));
    }

    /** @return list<int> orders with events that no process finished */
    public static function waitingOrders(): array
    {
        global $wpdb;
        $query = "SELECT DISTINCT order_id FROM {$wpdb->prefix}holdfast_events WHERE is_handled = 0 LIMIT %d";
        return array_map('intval', $wpdb->get_col($wpdb->prepare($query, self::ORDERS_MAX)));
    }

    /** WordPress returns false where its database failed. */
    private static function write(string $query): void
    {
        global $wpdb;
        if ($wpdb->query($query) === false) {
            throw new \RuntimeException("The database refused a write: $wpdb->last_error");
        }
    }
}
